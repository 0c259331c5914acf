import type { FailureKind } from "../failure.ts";
import type { LentFile, SqlPage, SqlQuery } from "./set.ts";

/** What a set is made of before it has rows. */
export interface SetShape {
  tables: string;
  indexes: string;
  files: readonly LentFile[];
}

export interface LoadJob {
  deed: "load";
  set: string;
  /** Given where the set is made, or made anew. */
  shape: SetShape | undefined;
  /** Keys of parts whose rows are no longer there. */
  removed: string[];
  /** By key and by table, the rows as JSON: text travels quicker than what it stands for. */
  added: { key: string; rows: Record<string, string> }[];
  /** Other sets that make room. */
  forgotten: string[];
}

export interface QueryJob extends SqlQuery {
  deed: "query";
  set: string;
  /** How long rows behind the page may be counted. */
  countMs: number;
}

export type SqlJob = LoadJob | QueryJob;

/** A failure as it travels between processes. */
export interface Refusal {
  kind: FailureKind;
  code: string;
  message: string;
  hints: readonly string[];
}

export type SqlMessage = { page: SqlPage } | SqlLastWord;

/** A child that is spent keeps more memory than it should. */
export type SqlLastWord = SqlOutcome & { isSpent: boolean };

export type SqlOutcome =
  | { loaded: true }
  | { remaining: number; isCounted: boolean }
  | { refusal: Refusal }
  /** The statement took more memory than it may. */
  | { isFull: true }
  /** The set is not what its lender says. */
  | { problem: string };
