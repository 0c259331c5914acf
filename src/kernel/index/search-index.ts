import type { Query } from "../../text/search/query.ts";
import type { Steps } from "../storage/steps.ts";

/**
 * The search index of every shelf that ranks text. Implementations differ in storage only, and one
 * test suite covers all of them.
 */
export interface SearchIndex {
  /**
   * Puts and removes documents, in the caller's transaction. The changes are visible at the end of
   * the steps; if the work throws, none are made.
   */
  change(work: (changes: IndexChanges) => void): Steps<void>;
  /** The best passages of the best documents, best first; equal scores by path and position. */
  match(query: Query, options: MatchOptions): Steps<Match[]>;
  /** All matching documents in the same order, without their passages. */
  rank(query: Query): Steps<number[]>;
  /** Merges all segments and drops words that no document contains any more. */
  compact(): Steps<void>;
  /** Deletes passages of documents without an entry. */
  removeOrphans(): Steps<void>;
  /** Deletes everything, when the index is damaged. */
  clear(): Steps<void>;
  /** The number of passages. */
  count(): Steps<number>;
}

/** An index that returns results directly. */
export type SyncSearchIndex = {
  [Method in keyof SearchIndex]: (
    ...values: Parameters<SearchIndex[Method]>
  ) => ReturnType<SearchIndex[Method]> extends Steps<infer Result> ? Result : never;
};

export interface IndexChanges {
  /** Adds or replaces a document. */
  put(document: number, entry: IndexedDocument): void;
  remove(document: number): void;
}

export interface IndexedDocument {
  title: string;
  /** The document's path; its words have a small weight. */
  path: string;
  passages: readonly Passage[];
}

export interface Passage {
  headings: readonly string[];
  line: number;
  endLine: number;
  text: string;
}

export interface MatchOptions {
  limit: number;
  /** Only documents of these roots; default all. */
  roots?: readonly string[] | undefined;
  /** Only these documents; default all. */
  documents?: readonly number[] | undefined;
  /** Maximum number of passages of one document; default 1. */
  perDocument?: number | undefined;
}

export interface Match {
  document: number;
  /** From 0 to 1, and comparable between queries: see `rankPassages`. */
  score: number;
  passage: Passage;
  /** What each word of the query contributes to the score, in the query's order. */
  words: WordScore[];
}

/** One word of a query in one passage. */
export interface WordScore {
  word: string;
  /**
   * The spellings that occur in this passage, if no document contains the word itself, or hardly
   * any. Spellings of other passages are omitted: they may be in documents that the caller may not
   * see.
   */
  read?: string[];
  /** Whether the spellings are searched besides the word itself, because it is rare. */
  rare?: true;
  /** Whether it is a function word, which counts in titles and headings only. */
  minor?: true;
  /** The weight of the word in this query, from 0 to 1. The weights of all words sum up to 1. */
  weight: number;
  /** The saturated frequency of the word in the passage, from 0 to 1. */
  strength: number;
  /** The number of occurrences by field, and whether it is a part of a name: `user` in `getUser`. */
  found: Record<Field, number> & { names?: number };
}

type Field = (typeof fields)[number];

export const fields = ["title", "headings", "path", "body"] as const;
