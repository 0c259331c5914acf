/** Cells as a line of CSV, as RFC 4180 quotes them. */
export const csvLine = (cells: readonly string[], end = "\n"): string =>
  `${cells.map(quoted).join(",")}${end}`;

const quoted = (cell: string): string =>
  /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/**
 * A text that a spreadsheet shows and does not calculate: what begins like a formula begins with an
 * apostrophe instead. White space before the sign, and the wide forms of the signs, change nothing.
 */
export const guarded = (cell: string): string =>
  /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;

/** A text as it was before it was guarded. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && guarded(cell.slice(1)) === cell ? cell.slice(1) : cell;
