import type { FailureKind } from "../failure.ts";
import type { AttachedFile, SqlPage, SqlQuery } from "./dataset.ts";

/** The schema of a data set. */
export interface DatasetShape {
  tables: string;
  indexes: string;
  files: readonly AttachedFile[];
}

export interface LoadJob {
  type: "load";
  dataset: string;
  /** Present if the data set must be created, or created again. */
  shape: DatasetShape | undefined;
  /** Keys of removed parts. */
  removed: string[];
  /** Rows by part and table, as JSON: a string is sent faster than nested arrays. */
  added: { key: string; rows: Record<string, string> }[];
  /** Names of other data sets to drop, to free memory. */
  evicted: string[];
}

export interface QueryJob extends SqlQuery {
  type: "query";
  dataset: string;
  /** How long the rows after the page may be counted. */
  countMs: number;
}

export type SqlJob = LoadJob | QueryJob;

/** A failure as sent between processes. */
export interface SerializedFailure {
  kind: FailureKind;
  code: string;
  message: string;
  hints: readonly string[];
}

/** From the child to its parent: a page if the query has reached one, then the final message. */
export type SqlMessage = { page: SqlPage } | SqlFinalMessage;

/** `shouldReplace`: the child uses so much memory that it should be replaced. */
export type SqlFinalMessage = SqlOutcome & { shouldReplace: boolean };

/** From the child's worker thread to its main thread. */
export type SqlThreadMessage = { page: SqlPage } | SqlOutcome;

export type SqlOutcome =
  | { loaded: true }
  | { remaining: number; isCounted: boolean }
  | { refusal: SerializedFailure }
  /** The statement exceeded the memory limit. */
  | { isOutOfMemory: true }
  /** The data set is invalid, which is a bug of the shelf that describes it. */
  | { problem: string };
