/**
 * SQLite stores any type in any column, and projects edited by several programs contain rows
 * without a name, text in numeric columns, or bytes in text columns. One such row must not break a
 * list, so each column is cast to its expected type.
 */
export const textColumn = (column: string): string => `CAST(${column} AS TEXT)`;

export const nameColumn = (column: string): string => `ifnull(${textColumn(column)}, '(no name)')`;

/** The column if it is an integer, otherwise NULL. */
export const integerColumn = (column: string): string =>
  `CASE typeof(${column}) WHEN 'integer' THEN ${column} END`;

/** SQL condition: all of these required columns are integers. */
export const areIntegerColumns = (...columns: string[]): string =>
  columns.map((column) => `typeof(${column}) = 'integer'`).join(" AND ");

/** Decodes bytes as text in a row with unknown columns. No QualCoder column holds binary data. */
export function decodeTextValues<Row extends object>(row: Row): Row {
  const texts = Object.entries(row)
    .filter(([, value]) => value instanceof Uint8Array)
    .map(([column, value]) => [column, Buffer.from(value).toString("utf8")]);
  return { ...row, ...Object.fromEntries(texts) };
}
