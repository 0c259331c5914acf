import type { Call } from "../../../kernel/call.ts";
import { Failure, failureReason } from "../../../kernel/failure.ts";
import type { Match, MatchOptions } from "../../../kernel/index/search-index.ts";
import type { Note } from "../../../kernel/operations/note.ts";
import { isEnglish } from "../../../text/language/english.ts";
import { parseQuery } from "../../../text/search/query.ts";
import type { SearchState } from "../state.ts";
import { coverageNotes, findNearestChunks, hasEmbeddings } from "../vectors/semantic-index.ts";
import { exclusionNotes } from "./feedback.ts";
import {
  type FusedCandidate,
  fuseRankings,
  keepBestByKeywords,
  queryWeight,
  type RankedList,
  toMonotonicScores,
} from "./rank-fusion.ts";
import { rerankResults } from "./rerank-results.ts";

/**
 * A sub-query of a hybrid search: keywords (`lex`), a question (`vec`), a hypothetical answer (`hyde`,
 * HyDE), or keywords and vectors for the same text (`both`).
 */
export interface SubQuery {
  type: "lex" | "vec" | "hyde" | "both";
  query: string;
}

export interface HybridOptions extends MatchOptions {
  /** Whether a configured model may add searches (query expansion). */
  expand: boolean;
  rerank: boolean;
  /** The number of results to re-rank. The default is that of the model. */
  candidates?: number | undefined;
  /** The purpose of the search, which is prepended to the query for the re-ranker. */
  intent?: string | undefined;
}

export interface HybridResult {
  matches: (Match & { lists?: ListRank[]; logit?: number })[];
  /** The steps that were skipped, with the reasons. */
  notes: Note[];
}

/** The rank of a result in one of the lists. */
interface ListRank {
  by: RankedList["by"];
  query: string;
  weight: number;
  rank: number;
}

/** The length of each list, so that a result with a low rank in one list is still included. */
const listLength = 100;

/**
 * Hybrid search: each search produces keyword (BM25) and vector lists, which are merged by reciprocal
 * rank fusion (RRF). A cross-encoder re-ranks the best results. Missing steps are skipped with a note.
 */
export async function hybridSearch(
  state: SearchState,
  searches: readonly SubQuery[],
  options: HybridOptions,
  call: Call,
): Promise<HybridResult> {
  const notes: Note[] = [];
  const lists: RankedList[] = [];
  /** The first query's. */
  let vector: Float32Array | undefined;
  const hasVectors = await state.store.run(hasEmbeddings(state));
  if (!hasVectors) notes.push(keywordsOnlyNote(state));
  const length = Math.max(listLength, options.limit);
  const added = options.expand ? await expandSearches(state, searches, options, call, notes) : [];
  for (const [index, { type, query }] of [...searches, ...added].entries()) {
    const isOwn = index < searches.length;
    const weight = isOwn ? queryWeight(index) : 1;
    const matchKeywords = () =>
      state.store.run(state.index.match(parseQuery(query), { ...options, limit: length }));
    const keywordMatches = type === "lex" || type === "both" ? await matchKeywords() : undefined;
    const request = { query, keywordMatches, limit: length };
    const isSemantic = type !== "lex" && hasVectors;
    const semantic = isSemantic
      ? await semanticMatches(state, request, options, call, notes)
      : undefined;
    vector ??= semantic?.vector;
    // Without vectors, the caller's own sub-queries are searched by keywords instead. Those of a model
    // are not, because the words of a hypothetical answer would match unrelated documents.
    const matches = keywordMatches ?? (isOwn && !semantic ? await matchKeywords() : undefined);
    if (matches) lists.push({ by: "keywords", query, weight, matches });
    if (semantic) lists.push({ by: "meaning", query, weight, matches: semantic.matches });
  }
  const onlyKeywords = lists.every(({ by }) => by === "keywords");
  const byMeaning = lists.flatMap(({ by, query }) => (by === "meaning" ? [query] : []));
  notes.push(...exclusionNotes(byMeaning));
  if (byMeaning.length > 0) {
    notes.push(...(await state.store.run(coverageNotes(state, options.roots))));
  }
  const [first] = lists;
  if (onlyKeywords && first && lists.length === 1) {
    return { matches: first.matches.slice(0, options.limit), notes };
  }
  const isByPassage = (options.perDocument ?? 1) > 1;
  const fused = fuseRankings(lists, isByPassage ? passageKey : documentKey);
  const query = [options.intent, searches[0]?.query].filter(Boolean).join("\n\n");
  const reranked =
    options.rerank && !onlyKeywords
      ? await rerankResults(
          state,
          fused,
          {
            query,
            // Passages of the same document are re-ranked as they are.
            vector: isByPassage ? undefined : vector,
            candidates: options.candidates,
          },
          call,
        )
      : { ranked: fused };
  if (reranked.note) notes.push(reranked.note);
  const ordered = keepBestByKeywords(reranked.ranked, lists);
  const monotonic = toMonotonicScores(ordered);
  return {
    matches: monotonic.slice(0, options.limit).map((match, index) => ({
      ...match,
      lists: listRanksOf(ordered[index], lists),
      ...(ordered[index]?.logit !== undefined && { logit: ordered[index].logit }),
    })),
    notes,
  };
}

/** The note if semantic search is not available. */
const keywordsOnlyNote = ({ models }: SearchState): Note => ({
  kind: "model",
  message: models.embedder.isOff
    ? "Semantic search is disabled, so only keywords were used."
    : "There are no embeddings yet, so only keywords were used. Run 'qmd embed' to create them.",
});

/** The searches that a configured model adds. They have a lower weight than the caller's. */
async function expandSearches(
  state: SearchState,
  [search]: readonly SubQuery[],
  { intent }: HybridOptions,
  call: Call,
  notes: Note[],
): Promise<readonly SubQuery[]> {
  if (!search) return [];
  const { variants, note } = await state.expansion.expand(search.query, intent, call);
  if (note) notes.push({ kind: "model", message: note });
  return variants;
}

/** Vector search. Skipped for other languages if the model supports only English. */
async function semanticMatches(
  state: SearchState,
  {
    query,
    keywordMatches = [],
    limit,
  }: { query: string; keywordMatches?: Match[] | undefined; limit: number },
  options: HybridOptions,
  call: Call,
  notes: Note[],
): Promise<{ vector: Float32Array; matches: Match[] } | undefined> {
  const { embedder } = state.models;
  const englishOnly = embedder.languages === "english";
  if (englishOnly && !(isEnglish(query) && isLikelyEnglish(keywordMatches))) {
    notes.push({
      kind: "language",
      message: "The query is not in English, so only keywords were used.",
    });
    return undefined;
  }
  try {
    const vector = await embedder.embedQuery(query, call.signal);
    const nearest = findNearestChunks(state, vector, { ...options, limit, englishOnly });
    return { vector, matches: await state.store.run(nearest) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notes.push({
      kind: "model",
      message: `Semantic search was skipped: ${failureReason(error)}.`,
    });
    return undefined;
  }
}

/** A query of a few names has no detectable language, so that of its keyword results is used. */
function isLikelyEnglish(keywordMatches: readonly Match[]): boolean {
  const best = keywordMatches.slice(0, 10);
  return best.filter(({ passage }) => isEnglish(passage.text)).length >= best.length / 2;
}

const documentKey = ({ document }: Match): string => String(document);
/** Includes the text, because a very long line is split into several passages with the same line. */
const passageKey = ({ document, passage: { line, text } }: Match): string =>
  `${document}:${line}:${text}`;

const listRanksOf = (
  candidate: FusedCandidate | undefined,
  lists: readonly RankedList[],
): ListRank[] =>
  lists.flatMap(({ by, query, weight }, index) => {
    const rank = candidate?.ranks[index];
    return rank === undefined ? [] : [{ by, query, weight, rank }];
  });
