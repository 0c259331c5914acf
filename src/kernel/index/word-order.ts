import type { Query } from "../../text/query.ts";
import { tokensOf } from "../../text/tokens.ts";
import type { PostingColumns } from "./postings.ts";

/** What a query demands beyond its words: phrases that must be there, words that must not. */
export interface WordOrder {
  /** A quick look by the postings alone. */
  admits(passage: number): boolean;
  /** True where the order of words matters, which only the text itself tells. */
  mustBeRead: boolean;
  fits(texts: readonly string[]): boolean;
}

export function wordOrderOf(
  { phrases, without }: Query,
  postingsOf: (token: string) => PostingColumns,
): WordOrder {
  const wanted = phrases.map(tokensOf).filter((tokens) => tokens.length > 0);
  const unwanted = without.map(tokensOf).filter((tokens) => tokens.length > 0);
  const having = passagesWithAll(new Set(wanted.flat()), postingsOf);
  const excluded = new Set<number>();
  for (const [token = ""] of unwanted.filter(({ length }) => length === 1)) {
    for (const passage of passagesIn(postingsOf(token))) excluded.add(passage);
  }
  const sequences = wanted.filter(({ length }) => length > 1);
  const unwantedSequences = unwanted.filter(({ length }) => length > 1);
  return {
    admits: (passage) => (having?.has(passage) ?? true) && !excluded.has(passage),
    mustBeRead: sequences.length + unwantedSequences.length > 0,
    fits(texts) {
      const all = texts.map(tokensOf);
      const holds = (sequence: readonly string[]) =>
        all.some((tokens) => follows(tokens, sequence));
      return sequences.every(holds) && !unwantedSequences.some(holds);
    },
  };
}

/** One set, however many tokens there are: a page of phrases must not fill the memory. */
function passagesWithAll(
  tokens: Iterable<string>,
  postingsOf: (token: string) => PostingColumns,
): ReadonlySet<number> | undefined {
  let having: ReadonlySet<number> | undefined;
  for (const token of tokens) {
    const before = having;
    const passages = passagesIn(postingsOf(token));
    having = new Set(before ? passages.filter((passage) => before.has(passage)) : passages);
  }
  return having;
}

const passagesIn = ({ passages, count }: PostingColumns): Float64Array =>
  passages.subarray(0, count);

function follows(tokens: readonly string[], sequence: readonly string[]): boolean {
  for (let at = tokens.indexOf(sequence[0] ?? ""); at >= 0; ) {
    if (sequence.every((token, step) => tokens[at + step] === token)) return true;
    at = tokens.indexOf(sequence[0] ?? "", at + 1);
  }
  return false;
}
