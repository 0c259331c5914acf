import type { PostingColumns } from "../segments/postings.ts";

/** One word of a query with every token that matches it. */
export interface QueryTerm {
  /** As typed. */
  word: string;
  /** The tokens that match the word, with their postings. */
  variants: readonly TermVariant[];
  /** For a function word: what it counts, compared with another word of its rarity. */
  factor?: number;
  /** The parts of a name. They count where the whole name is missing, and less. */
  parts?: readonly QueryTerm[];
}

export interface TermVariant {
  token: string;
  /** How well the token matches the word: 1 for the word's own token, less for a similar spelling. */
  similarity: number;
  postings: PostingColumns;
  /** The indexed words with this token, if they are searched instead of the typed one. */
  spellings?: readonly string[];
}
