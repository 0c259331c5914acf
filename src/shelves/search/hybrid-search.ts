import type { Call } from "../../kernel/call.ts";
import { Failure, reasonOf } from "../../kernel/failure.ts";
import type { Match, MatchOptions } from "../../kernel/index/contract.ts";
import { rerankingModel } from "../../kernel/models/bundled.ts";
import { openStop } from "../../kernel/stop-signal.ts";
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
import { hasMeaning, nearest } from "./meaning.ts";
import type { SearchState } from "./state.ts";
import { documentWithId } from "./storage.ts";

/** One of the searches that a caller asks for: by words, by a question, by an imagined answer. */
export interface SubQuery {
  type: "lex" | "vec" | "hyde" | "both";
  query: string;
}

export interface HybridOptions extends MatchOptions {
  /** Whether a configured model may add searches to the caller's own. */
  expand: boolean;
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
  const hasVectors = hasMeaning(state);
  if (!hasVectors) notes.push(keywordsAlone(state));
  const length = Math.max(listLength, options.limit);
  const added = options.expand ? await variantsOf(state, searches, options, call, notes) : [];
  for (const [place, { type, query }] of [...searches, ...added].entries()) {
    const isOwn = place < searches.length;
    const weight = isOwn ? weightOfQuery(place) : 1;
    const lookUp = () => state.index.match(readQuery(query), { ...options, limit: length });
    const byWords = type === "lex" || type === "both" ? lookUp() : undefined;
    const asked = { query, byWords, limit: length };
    const wantsMeaning = type !== "lex" && hasVectors;
    const byMeaning = wantsMeaning
      ? await meaningList(state, asked, options, call, notes)
      : undefined;
    // A question that nothing can answer by its meaning is at least looked up by its words; an
    // answer that a model imagined would then find anything.
    const matches = byWords ?? (isOwn && !byMeaning ? lookUp() : undefined);
    if (matches) lists.push({ by: "keywords", query, weight, matches });
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

/** What is said once where nothing can be found by its meaning. */
const keywordsAlone = ({ models }: SearchState): string =>
  models.embedder.isOff
    ? "Search by meaning is switched off, so keywords alone were used."
    : "There are no vectors yet, so keywords alone were used: qmd embed";

/** What a configured model adds to the caller's own words, which count more. */
async function variantsOf(
  state: SearchState,
  [search]: readonly SubQuery[],
  { intent }: HybridOptions,
  call: Call,
  notes: string[],
): Promise<readonly SubQuery[]> {
  if (!search) return [];
  const { variants, note } = await state.expansion.variantsOf(search.query, intent, call);
  if (note) notes.push(note);
  return variants;
}

/** A model that knows English alone would only lead astray elsewhere. */
async function meaningList(
  state: SearchState,
  { query, byWords = [], limit }: { query: string; byWords?: Match[] | undefined; limit: number },
  options: HybridOptions,
  call: Call,
  notes: string[],
): Promise<Match[] | undefined> {
  const { embedder } = state.models;
  const englishOnly = embedder.languages === "english";
  if (englishOnly && !(isEnglish(query) && mayBeEnglish(byWords))) {
    notes.push("The query is not English, so keywords alone were used.");
    return undefined;
  }
  try {
    const vector = await embedder.embedQuery(query, call.signal);
    return nearest(state, vector, { ...options, limit, englishOnly });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    tell(`Meaning was left out: ${reasonOf(error)}.`, notes, call);
    return undefined;
  }
}

/** A few names in a query tell no language; what its words find does. */
function mayBeEnglish(byWords: readonly Match[]): boolean {
  const best = byWords.slice(0, 10);
  return best.filter(({ passage }) => isEnglish(passage.text)).length >= best.length / 2;
}

async function reranked(
  state: SearchState,
  query: string,
  fused: Candidate[],
  { candidates: most = rerankingModel.candidates }: HybridOptions,
  call: Call,
  notes: string[],
): Promise<Candidate[]> {
  const { reranker } = state.models;
  if (!reranker) return fused;
  const best = fused.slice(0, most);
  const passages = best.map(({ match }) => passageFor(state, match));
  const judges = (text: string) => reranker.languages === "all" || isEnglish(text);
  if (!judges(query) || !passages.some(judges)) return fused;
  const stop = openStop([call.signal], rerankMs);
  try {
    const logits = await reranker.score(query, passages, stop.signal);
    const judged = best.map((candidate, index) => ({ ...candidate, logit: logits[index] ?? 0 }));
    return [...blend(judged, rerankingModel.bands), ...fused.slice(most)];
  } catch (error) {
    // Whoever gave up needs no answer, and a fault of ours must show.
    if (call.signal.aborted || !(error instanceof Failure || stop.signal.aborted)) throw error;
    const reason = error instanceof Failure ? reasonOf(error) : "the model was too slow";
    tell(`The best were not re-ranked: ${reason}.`, notes, call);
    return fused;
  } finally {
    stop.release();
  }
}

/** Once for each: in the answer, and for people at a shell, who may see nothing but the results. */
function tell(sentence: string, notes: string[], call: Call): void {
  if (notes.includes(sentence)) return;
  notes.push(sentence);
  call.log("warn", sentence);
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
