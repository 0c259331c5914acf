/** A value in a table; null if there is none. */
export type Cell = string | number | null;

export interface Column {
  /** The key for programs. Columns named after data have a prefix: `case: Ana`. */
  key: string;
  /** The heading for people. */
  title: string;
}

export interface Table {
  title: string;
  columns: Column[];
  /** Each has one cell per column. */
  rows: Cell[][];
}

/** A report, from which outputs, files and pages are rendered. */
export interface Report {
  title: string;
  /** What a reader must know to interpret the tables. */
  notes: string[];
  /** The first is the report itself; the others show the same data in other ways. */
  tables: [Table, ...Table[]];
}

/** Columns from keys and headings, in order. */
export const titledColumns = (titles: Record<string, string>): Column[] =>
  Object.entries(titles).map(([key, title]) => ({ key, title }));

/** Columns named after data, such as one per case. */
export const namedColumns = (kind: string, names: readonly string[]): Column[] =>
  names.map((name) => ({ key: `${kind}: ${name}`, title: name }));

/** Rounds shares and coefficients to four decimal places. */
export const roundTo4 = (number: number | undefined): number | null =>
  number === undefined ? null : Math.round(number * 10_000) / 10_000;

/** A percentage with one decimal place. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 1_000) / whole) / 10;
