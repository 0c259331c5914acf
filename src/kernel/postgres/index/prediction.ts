import type { Query } from "../../../text/search/query.ts";
import { tokenize } from "../../../text/search/tokens.ts";
import type { QueryTerm } from "../../index/ranking/query-term.ts";
import { resolveQueryTerms } from "../../index/ranking/query-terms.ts";
import { createOwnerTable } from "./owner-table.ts";
import { createRequests, type ReadRequests } from "./read-requests.ts";
import type { SearchMemory } from "./search-memory.ts";
import { createStoredSource } from "./stored-source.ts";
import { createWordLookups } from "./word-lookups.ts";

/** What a query probably reads: all that it would read if its words were found. */
export function predictReads(
  query: Query,
  { state, lists }: SearchMemory,
): { requests: ReadRequests; usesPositions: boolean } {
  const requests = createRequests();
  const source = createStoredSource({
    state,
    lists,
    requests,
    words: createWordLookups(new Map(), () => undefined, requests),
    owners: createOwnerTable({ limit: 0 }, requests),
    characters: new Map(),
    isPrediction: true,
  });
  const terms = [...resolveQueryTerms(query, source.vocabulary, source).values()];
  const words = terms.filter(({ factor }) => factor === undefined);
  const phrases = [...query.phrases, ...query.excluded].map(tokenize);
  for (const token of phrases.flat()) source.read(token);
  const ordered = [
    ...(words.length > 1 ? words.flatMap(tokensOf) : []),
    ...phrases.filter(({ length }) => length > 1).flat(),
  ];
  for (const token of ordered) requests.positions.add(token);
  return { requests, usesPositions: ordered.length > 0 };
}

/** As many as proximity uses. */
const tokensOf = ({ variants, frequent }: QueryTerm): string[] =>
  [...variants, ...(frequent?.variants ?? [])].slice(0, 4).map(({ token }) => token);
