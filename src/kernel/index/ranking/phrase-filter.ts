import { elementAt } from "../../../text/arrays/element-at.ts";
import { integerAt } from "../../../text/arrays/typed-element-at.ts";
import type { Query } from "../../../text/search/query.ts";
import { tokenize } from "../../../text/search/tokens.ts";
import type { TermPositions } from "../segments/positions.ts";
import { findRow, firstRowFrom, type PostingColumns } from "../segments/postings.ts";

export interface PositionSource {
  read(token: string): PostingColumns;
  readPositions(token: string): TermPositions;
}

/** Whether a passage has what a query requires. */
export type PhraseFilter = (passage: number) => boolean;

/** A filter by the query's required phrases. */
export function createPhraseFilter(query: Query, source: PositionSource): PhraseFilter {
  const required = phrasesOf(query.phrases);
  const candidates = passagesWithAll(new Set(required.flat()), source);
  const finders = required
    .filter(({ length }) => length > 1)
    .map((tokens) => createPhraseFinder(tokens, source));
  return (passage) =>
    (candidates?.has(passage) ?? true) && finders.every((hasPhrase) => hasPhrase(passage));
}

/** The passages of a document, which have consecutive numbers. */
export interface PassageRange {
  first: number;
  count: number;
}

/**
 * Whether a document has an excluded word or phrase in any of its passages. Undefined if the query
 * excludes nothing.
 */
export function createExclusion(
  query: Query,
  source: PositionSource,
): ((passages: PassageRange) => boolean) | undefined {
  const excluded = phrasesOf(query.excluded);
  if (excluded.length === 0) return undefined;
  const lists = excluded.map(([token = ""]) => source.read(token));
  const finders = excluded.map((tokens) =>
    tokens.length === 1 ? () => true : createPhraseFinder(tokens, source),
  );
  return ({ first, count }) =>
    lists.some((list, index) => {
      const hasPhrase = elementAt(finders, index);
      for (let row = firstRowFrom(list, first); row < list.count; row++) {
        const passage = integerAt(list.passages, row);
        if (passage >= first + count) return false;
        if (hasPhrase(passage)) return true;
      }
      return false;
    });
}

const phrasesOf = (texts: readonly string[]): string[][] =>
  texts.map(tokenize).filter((tokens) => tokens.length > 0);

/** Intersects token by token, so that a query of many phrases needs memory for one set only. */
function passagesWithAll(
  tokens: Iterable<string>,
  { read }: PositionSource,
): ReadonlySet<number> | undefined {
  let common: ReadonlySet<number> | undefined;
  for (const token of tokens) {
    const before = common;
    const passages = passagesIn(read(token));
    common = new Set(before ? passages.filter((passage) => before.has(passage)) : passages);
  }
  return common;
}

const passagesIn = ({ passages, count }: PostingColumns): PostingColumns["passages"] =>
  passages.subarray(0, count);

/**
 * Whether the tokens follow one another in one of the fields. Parts of names do not count. Positions
 * are stored apart, so they are read only for passages that have all the tokens.
 */
function createPhraseFinder(
  phrase: readonly string[],
  { read, readPositions }: PositionSource,
): PhraseFilter {
  const lists = phrase.map(read);
  const positions: TermPositions[] = [];
  return (passage) => {
    const rows = lists.map((list) => findRow(list, passage));
    if (rows.some((row) => row < 0)) return false;
    const wordPositions = (index: number): number[] => {
      positions[index] ??= readPositions(elementAt(phrase, index));
      const marks = positions[index].marksAt(elementAt(rows, index));
      return marks.filter((mark) => mark % 2 === 0).map((mark) => mark / 2);
    };
    let ends = wordPositions(0);
    for (let index = 1; index < phrase.length && ends.length > 0; index++) {
      const before = new Set(ends);
      ends = wordPositions(index).filter((position) => before.has(position - 1));
    }
    return ends.length > 0;
  };
}
