import type { Query } from "../../text/query.ts";

/**
 * The search index for every shelf that ranks text. Engines differ in how they store; what they
 * are given and what they answer is the same, and one suite of tests runs over each of them.
 */
export interface Index {
  /** Replaces all that is known of a document. */
  put(document: number, entry: IndexEntry): void;
  remove(document: number): void;
  /** The best passage of each matching document, best document first; equal scores by document. */
  match(query: Query, options: MatchOptions): Match[];
  /** How many passages are held. */
  count(): number;
}

interface IndexEntry {
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
}

export interface Match {
  document: number;
  /** From 0 to 1, comparable between queries of one index. */
  score: number;
  passage: { line: number; endLine: number; text: string };
}
