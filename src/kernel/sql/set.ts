/**
 * Tables and views that statements of strangers may read. Whoever lends them describes the present
 * state anew with each statement; only what changed since is sent to the process that holds it.
 */
export interface SqlSet {
  /** Tells it from other sets; one that was not asked for long is forgotten, and sent anew. */
  name: string;
  /** CREATE TABLE statements. Every table keeps its rowid, and no column is an alias of it. */
  tables: string;
  /** CREATE INDEX statements, which run when the first rows are in: that is much quicker. */
  indexes: string;
  /** The rows, in pieces that change together, such as those of one file, by their keys. */
  parts: ReadonlyMap<string, SqlPart>;
  files?: readonly LentFile[];
}

export interface SqlPart {
  version: string | number;
  /**
   * By table; a row gives all columns in order, save generated ones. It is asked for only when the
   * version differs from the one that was sent last.
   */
  rows(): Record<string, SqlRow[]>;
}

/** Integers beyond 2^53 would not survive the way; lend them as text. */
export type SqlRow = readonly (string | number | null)[];

/** An SQLite file of which statements see some views, and nothing else. */
export interface LentFile {
  /** What its tables are qualified with in the texts of the views. */
  schema: string;
  path: string;
  /** A SELECT by each view's name; it must not use WITH. */
  views: Record<string, string>;
  /** Changes when another file took its place. */
  version?: string | number;
}

/** What a shelf lets statements read beside what others lend: tables with rows, views on files. */
export interface Lending {
  tables?: string;
  parts?: ReadonlyMap<string, SqlPart>;
  files?: readonly LentFile[];
}

export interface SqlPage {
  columns: string[];
  /** Columns of one name keep their places. */
  rows: SqlValue[][];
}

/**
 * What JSON can say. An integer beyond 2^53 is text of its digits, infinity is `Inf` or `-Inf`, and
 * bytes are written as SQL would: `x'00ff'`.
 */
export type SqlValue = string | number | null;

export interface SqlAnswer extends SqlPage {
  /** How many rows follow the page; at least so many where they were not counted to the end. */
  remaining: number;
  isCounted: boolean;
}

export interface SqlQuery {
  sql: string;
  /** Most rows of the page. */
  limit: number;
  /** Rows that are passed over. */
  offset: number;
}
