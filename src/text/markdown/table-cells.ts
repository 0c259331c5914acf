/** Whether two lines start a table: a header row, and a delimiter row with as many columns. */
export function isTableDelimiter(row: string | undefined, line: string): boolean {
  if (row === undefined || !/^[\s|:-]*-[\s|:-]*$/.test(line) || !/[|:]/.test(line)) return false;
  const columns = splitTableRow(line);
  return (
    columns.every((cell) => /^:?-+:?$/.test(cell)) && columns.length === splitTableRow(row).length
  );
}

/** The cells of a row. An escaped `\|` does not separate cells, even inside code. */
export function splitTableRow(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}
