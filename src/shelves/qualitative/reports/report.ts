/** What stands in a table; null where there is nothing to say. */
export type Cell = string | number | null;

export interface Column {
  /** As programs name it. Columns that are made of a name have their kind before it: `case: Ana`. */
  key: string;
  /** As people read it. */
  title: string;
}

export interface Table {
  title: string;
  columns: Column[];
  /** Each as long as the columns are many. */
  rows: Cell[][];
}

/** A report in one form, whoever reads it: answers, files and pages are made of it. */
export interface Report {
  title: string;
  /** What a reader must know to read the tables rightly. */
  notes: string[];
  /** The first is what was asked for; the others show the same from another side. */
  tables: [Table, ...Table[]];
}

/** Columns by their keys, in order, with the titles that people read. */
export const columnsOf = (titles: Record<string, string>): Column[] =>
  Object.entries(titles).map(([key, title]) => ({ key, title }));

/** Columns of one kind of thing, such as a case each. */
export const columnsFor = (kind: string, names: readonly string[]): Column[] =>
  names.map((name) => ({ key: `${kind}: ${name}`, title: name }));

/** Shares and coefficients to four places: more would pretend. */
export const rounded = (number: number | undefined): number | null =>
  number === undefined ? null : Math.round(number * 10_000) / 10_000;

/** Parts of a whole in percent, to one place. */
export const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 1_000) / whole) / 10;
