/**
 * Tables and views that untrusted statements may read. The caller describes the current state with
 * every statement; only the parts that changed are sent to the process that runs the statements.
 */
export interface SqlDataset {
  /** Identifies the data set in the LRU cache of the process. */
  name: string;
  /** CREATE TABLE statements. Every table must have a rowid, and no column may be its alias. */
  tables: string;
  /** CREATE INDEX statements. They run after the first rows are inserted, which is much faster. */
  indexes: string;
  /** The rows by part. A part holds rows that change together, such as those of one file. */
  parts: ReadonlyMap<string, SqlPart>;
  files?: readonly AttachedFile[];
}

export interface SqlPart {
  version: string | number;
  /**
   * The rows by table, each with all columns in order except generated ones. Called only if the
   * version differs from the one sent last.
   */
  rows(): Record<string, SqlRow[]>;
}

/** Pass integers beyond 2^53 as text: JSON would round them. */
export type SqlRow = readonly (string | number | null)[];

/** An SQLite file of which statements can read only the given views. */
export interface AttachedFile {
  /** The schema name by which the views qualify the tables of the file. */
  schema: string;
  path: string;
  /** The SELECT of each view, by view name. It must not use WITH. */
  views: Record<string, string>;
  /** Changes when the file is replaced by another one. */
  version?: string | number;
}

/** What one shelf adds to a data set: tables with rows, and views on files. */
export interface SqlTables {
  tables?: string;
  parts?: ReadonlyMap<string, SqlPart>;
  files?: readonly AttachedFile[];
}

export interface SqlPage {
  columns: string[];
  /** Values by column position, because several columns may have the same name. */
  rows: SqlValue[][];
}

/**
 * A value as JSON. An integer beyond 2^53 is a string of digits, infinity is `Inf` or `-Inf`, and a
 * blob is an SQL literal: `x'00ff'`.
 */
export type SqlValue = string | number | null;

export interface SqlAnswer extends SqlPage {
  /** The number of rows after the page; a lower bound unless `isCounted`. */
  remaining: number;
  isCounted: boolean;
}

export interface SqlQuery {
  sql: string;
  /** Maximum number of rows of the page. */
  limit: number;
  /** Number of rows to skip before the page. */
  offset: number;
}
