/** A line of CSV, quoted according to RFC 4180. */
export const formatCsvLine = (cells: readonly string[], end = "\n"): string =>
  `${cells.map(quoteCell).join(",")}${end}`;

const quoteCell = (cell: string): string =>
  /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/**
 * Prevents CSV injection: prefixes cells that a spreadsheet would evaluate as a formula with an
 * apostrophe. Covers leading white space and the full-width forms of the operators.
 */
export const escapeFormula = (cell: string): string =>
  /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;

/** Reverses `escapeFormula`. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && escapeFormula(cell.slice(1)) === cell ? cell.slice(1) : cell;
