import type { Query } from "../../text/query.ts";

/**
 * The search index for every shelf that ranks text. Engines differ in how they store; what they
 * are given and what they answer is the same, and one suite of tests runs over each of them.
 */
export interface Index {
  /**
   * Puts and removes documents, in the caller's transaction. What is put is found once the work
   * has ended; where it throws, nothing of it is kept.
   */
  change(work: (changes: IndexChanges) => void): void;
  /** The best passages of the best documents, best first; equal scores by where they lie. */
  match(query: Query, options: MatchOptions): Match[];
  /** The documents in the same order, all that fit, without their passages. */
  rank(query: Query): number[];
  /** Brings what many changes left into the shape of an index built at once. */
  tidy(): void;
  /** Drops passages of documents that were never put. */
  dropStrays(): void;
  /** Forgets everything, where what is held is damaged. */
  clear(): void;
  /** How many passages are held. */
  count(): number;
}

interface IndexChanges {
  /** Replaces all that is known of a document. */
  put(document: number, entry: IndexEntry): void;
  remove(document: number): void;
}

export interface IndexEntry {
  title: string;
  /** Where the document lies; its words count a little. */
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
  /** Only documents of these roots; all where absent. */
  roots?: readonly string[] | undefined;
  /** Only these documents; all where absent. */
  documents?: readonly number[] | undefined;
  /** How many passages of one document may be told: one where absent. */
  perDocument?: number | undefined;
}

export interface Match {
  document: number;
  /** From 0 to 1: how much of what was asked for is there. It means the same for every query. */
  score: number;
  passage: Passage;
  /** What each word of the query gave to the score, in the query's order. */
  words: WordScore[];
}

/** One word of a query in one passage. */
export interface WordScore {
  word: string;
  /**
   * The spellings that stand there instead, where nobody wrote the word itself. Others that were
   * looked for are not told, since they may stand only where the asker may not look.
   */
  read?: string[];
  /** How much the word counts in this query, from 0 to 1; all words together have 1. */
  weight: number;
  /** How strongly the passage speaks of it, from 0 to 1. */
  strength: number;
  /** How often it stands where. */
  found: Record<Field, number>;
}

type Field = (typeof fields)[number];

export const fields = ["title", "headings", "path", "body"] as const;
