/** Whether two lines begin a table: a row, and below it dashes for as many columns. */
export function isTableRule(row: string | undefined, line: string): boolean {
  if (row === undefined || !/^[\s|:-]*-[\s|:-]*$/.test(line) || !/[|:]/.test(line)) return false;
  const columns = cellsOf(line);
  return columns.every((cell) => /^:?-+:?$/.test(cell)) && columns.length === cellsOf(row).length;
}

/** The cells of a row. A bar behind a backslash belongs to its cell, within code as well. */
export function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}
