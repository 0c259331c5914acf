import type { Call } from "../../kernel/call.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Match, MatchOptions } from "../../kernel/index/contract.ts";
import { rerankingModel } from "../../kernel/models/bundled.ts";
import { isEnglish } from "../../text/language.ts";
import { readQuery } from "../../text/query.ts";
import {
  blend,
  type Candidate,
  fuse,
  type RankedList,
  weightOfQuery,
  withFallingScores,
} from "./hybrid.ts";
import { nearest } from "./meaning.ts";
import type { SearchState } from "./state.ts";
import { documentWithId } from "./storage.ts";
import { hasChunks } from "./storage-chunks.ts";

/** One of the searches that a caller asks for: by words, by a question, by an imagined answer. */
export interface SubQuery {
  type: "lex" | "vec" | "hyde" | "both";
  query: string;
}

export interface HybridOptions extends MatchOptions {
  rerank: boolean;
  /** How many of the best are re-ranked; as many as the model was made for where absent. */
  candidates?: number | undefined;
  /** What the answer is for, which the re-ranker reads before the query. */
  intent?: string | undefined;
}

export interface HybridResult {
  matches: (Match & { lists?: ListPlace[]; logit?: number })[];
  /** What was left out, and why. */
  notes: string[];
}

/** Where one of the lists had a result. */
interface ListPlace {
  by: RankedList["by"];
  query: string;
  weight: number;
  rank: number;
}

/** Each list is this long, so that what one has at the top and another far below still counts. */
const listLength = 100;

/** Nobody waits longer than this for a better order. */
const rerankMs = 8_000;

/**
 * Keywords and meaning together: every search makes its lists, the lists are joined by their ranks,
 * and the best are read once more by the re-ranker. What is missing is left out and told.
 */
export async function hybridSearch(
  state: SearchState,
  searches: readonly SubQuery[],
  options: HybridOptions,
  call: Call,
): Promise<HybridResult> {
  const notes: string[] = [];
  const lists: RankedList[] = [];
  const hasVectors = hasChunks(state.db);
  if (!hasVectors) notes.push("There are no vectors yet, so keywords alone were used: qmd embed");
  const length = Math.max(listLength, options.limit);
  for (const [place, { type, query }] of searches.entries()) {
    const weight = weightOfQuery(place);
    const wantsMeaning = type !== "lex" && hasVectors;
    const byMeaning = wantsMeaning
      ? await meaningList(state, query, length, options, call, notes)
      : undefined;
    // A question that nothing can answer by its meaning is at least looked up by its words.
    if (type === "lex" || type === "both" || !byMeaning) {
      const matches = state.index.match(readQuery(query), { ...options, limit: length });
      lists.push({ by: "keywords", query, weight, matches });
    }
    if (byMeaning) lists.push({ by: "meaning", query, weight, matches: byMeaning });
  }
  const onlyKeywords = lists.every(({ by }) => by === "keywords");
  const [first] = lists;
  if (onlyKeywords && first && lists.length === 1) {
    return { matches: first.matches.slice(0, options.limit), notes };
  }
  const keyOf = (options.perDocument ?? 1) > 1 ? passageKey : documentKey;
  const fused = fuse(lists, keyOf);
  const query = [options.intent, searches[0]?.query].filter(Boolean).join("\n\n");
  const ordered =
    options.rerank && !onlyKeywords
      ? await reranked(state, query, fused, options, call, notes)
      : fused;
  const falling = withFallingScores(ordered);
  return {
    matches: falling.slice(0, options.limit).map((match, index) => ({
      ...match,
      lists: placesOf(ordered[index], lists),
      ...(ordered[index]?.logit !== undefined && { logit: ordered[index].logit }),
    })),
    notes,
  };
}

/** The bundled model knows English: elsewhere it would only lead astray. */
async function meaningList(
  state: SearchState,
  query: string,
  limit: number,
  options: HybridOptions,
  call: Call,
  notes: string[],
): Promise<Match[] | undefined> {
  if (!isEnglish(query)) {
    notes.push("The query is not English, so keywords alone were used.");
    return undefined;
  }
  try {
    const vector = await state.models.embedder.embedQuery(query, call.signal);
    return nearest(state, vector, { ...options, limit, englishOnly: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notes.push(`Meaning was left out: ${error.message}.`);
    return undefined;
  }
}

async function reranked(
  state: SearchState,
  query: string,
  fused: Candidate[],
  { candidates: most = rerankingModel.candidates }: HybridOptions,
  call: Call,
  notes: string[],
): Promise<Candidate[]> {
  const best = fused.slice(0, most);
  const passages = best.map(({ match }) => passageFor(state, match));
  if (!isEnglish(query) || !passages.some(isEnglish)) return fused;
  const late = AbortSignal.timeout(rerankMs);
  try {
    const signal = AbortSignal.any([call.signal, late]);
    const logits = await state.models.reranker.score(query, passages, signal);
    const judged = best.map((candidate, index) => ({ ...candidate, logit: logits[index] ?? 0 }));
    return [...blend(judged, rerankingModel.bands), ...fused.slice(most)];
  } catch (error) {
    // Whoever gave up needs no answer, and a fault of ours must show.
    if (call.signal.aborted || !(error instanceof Failure || late.aborted)) throw error;
    notes.push("The best were not re-ranked: the model was missing or too slow.");
    return fused;
  }
}

/** A title and the passage below it, as the re-ranker was taught. */
function passageFor({ db }: SearchState, { document, passage }: Match): string {
  const title = documentWithId(db, document)?.title ?? "";
  const words = passage.text.split(/\s+/).slice(0, mostWords).join(" ");
  return `${title}\n${words}`;
}

const mostWords = 190;

const documentKey = ({ document }: Match): string => String(document);
/** A line that is too long for one passage is several, and all of them begin on it. */
const passageKey = ({ document, passage: { line, text } }: Match): string =>
  `${document}:${line}:${text}`;

const placesOf = (candidate: Candidate | undefined, lists: readonly RankedList[]): ListPlace[] =>
  lists.flatMap(({ by, query, weight }, place) => {
    const rank = candidate?.ranks[place];
    return rank === undefined ? [] : [{ by, query, weight, rank }];
  });
