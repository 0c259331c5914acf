/**
 * SQLite stores anything in any column, and projects that went through several programs hold rows
 * without a name, words where a number belongs, or bytes where a text does. One such row must not
 * hide all others, so a column is read as what it should be.
 */
export const textIn = (column: string): string => `CAST(${column} AS TEXT)`;

export const nameIn = (column: string): string => `ifnull(${textIn(column)}, '(no name)')`;

/** A whole number, or nothing. */
export const numberIn = (column: string): string =>
  `CASE typeof(${column}) WHEN 'integer' THEN ${column} END`;

/** Whether columns that a row means nothing without are numbers. */
export const areNumbers = (...columns: string[]): string =>
  columns.map((column) => `typeof(${column}) = 'integer'`).join(" AND ");

/** A whole row, whose columns are not known: none of a project's own holds bytes that are no text. */
export function withTexts<Row extends object>(row: Row): Row {
  const texts = Object.entries(row)
    .filter(([, value]) => value instanceof Uint8Array)
    .map(([column, value]) => [column, Buffer.from(value).toString("utf8")]);
  return { ...row, ...Object.fromEntries(texts) };
}
