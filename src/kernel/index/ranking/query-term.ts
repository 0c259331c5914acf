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
  /** For a rare word: a far more frequent spelling. It counts where the word is missing, and less. */
  frequent?: QueryTerm;
}

/** Terms that together count for another one, as a share of it. */
export interface Substitute {
  terms: readonly QueryTerm[];
  share: number;
}

export const substituteOf = ({ parts, frequent }: QueryTerm): Substitute | undefined =>
  parts
    ? { terms: parts, share: partsShare }
    : frequent && { terms: [frequent], share: frequentShare };

/** The parts of a name that are all there count as this share of the name itself. */
const partsShare = 0.6;

/** Low enough that a title with the frequent word does not pass a mention of the rare one. */
const frequentShare = 0.4;

export interface TermVariant {
  token: string;
  /** How well the token matches the word: 1 for the word's own token, less for a similar spelling. */
  similarity: number;
  postings: PostingColumns;
  /** The indexed words with this token, if they are searched instead of the typed one. */
  spellings?: readonly string[];
}
