import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import * as z from "zod";
import { createVisibilityCheck } from "../../../kernel/home/scoped-config.ts";
import type { Match } from "../../../kernel/index/search-index.ts";
import { type Steps, snapshot } from "../../../kernel/storage/steps.ts";
import { createSnippet } from "../../../text/search/snippet.ts";
import { tokenize } from "../../../text/search/tokens.ts";
import { numberLines } from "../../../text/strings/lines.ts";
import { contextOf } from "../documents/contexts.ts";
import { readDocumentText } from "../documents/document-text.ts";
import { findTypedObject } from "../documents/typed-object.ts";
import type { SearchState } from "../state.ts";
import { findHitDocuments, shortestUniqueHash } from "../storage.ts";

const WordScore = z.object({
  word: z.string(),
  read: z.array(z.string()).optional().describe("Similar words searched for instead"),
  rare: z.literal(true).optional().describe("Similar words are searched besides this rare one"),
  minor: z.literal(true).optional().describe("A function word, counted in titles only"),
  weight: z.number().describe("Weight in the query"),
  strength: z.number().describe("How strongly the passage matches it"),
  found: z.object({
    title: z.number(),
    headings: z.number(),
    path: z.number(),
    body: z.number(),
    names: z.number().optional().describe("Parts of names, such as `user` in `getUser`"),
  }),
});

const ListRankOutput = z.object({
  by: z.enum(["keywords", "meaning"]),
  query: z.string(),
  weight: z.number(),
  rank: z.int(),
});

export const SearchHit = z.object({
  docid: z.string().describe("Short id, accepted by `get`"),
  file: z.string().describe("collection/path, accepted by `get`"),
  title: z.string(),
  score: z.number().describe("0 to 1"),
  context: z.string().nullable().describe("Descriptions of its folders"),
  snippet: z.string().describe("The best passage, with line numbers of the file"),
  line: z.int().describe("First line of the passage"),
  matchLine: z.int().describe("Line of the match"),
  endLine: z.int().describe("Last line of the passage"),
  headings: z.array(z.string()).describe("Headings above the passage, outermost first"),
  object: z
    .object({ id: z.string(), kind: z.string() })
    .optional()
    .describe("The typed object that contains it"),
  corrected: z
    .array(z.object({ word: z.string(), read: z.array(z.string()) }))
    .optional()
    .describe("Misspelled words, and what was searched for instead"),
  body: z.string().optional().describe("The full text, if `full` is set"),
  explain: z.array(WordScore).optional().describe("How each query word contributes to the score"),
  lists: z.array(ListRankOutput).optional().describe("Its rank in each search"),
  rerank: z.number().optional().describe("Re-ranker score; higher is better"),
});

export type SearchHit = z.output<typeof SearchHit>;

export interface HitOptions {
  /** The tokens that a snippet is chosen by. */
  terms: ReadonlySet<string>;
  /** Whether a word was typed as a prefix, so that its completions are no corrections. */
  isPrefix(word: string): boolean;
  minScore: number;
  full: boolean;
  explain: boolean;
}

type ScoredMatch = Match & { lists?: z.output<typeof ListRankOutput>[]; logit?: number };

/** The number of hits per time slice. */
const hitsPerSlice = 100;

/** The same as `buildHits`, but yields to the event loop between slices. */
export async function buildHitsInSlices(
  state: SearchState,
  matches: readonly ScoredMatch[],
  options: HitOptions,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let start = 0; start < matches.length; start += hitsPerSlice) {
    if (start > 0) await yieldToEventLoop();
    const part = matches.slice(start, start + hitsPerSlice);
    hits.push(...(await state.store.run(buildHits(state, part, options))));
  }
  return hits;
}

/** Builds the output of a search from its matches. */
export function* buildHits(
  state: SearchState,
  matches: readonly ScoredMatch[],
  options: HitOptions,
): Steps<SearchHit[]> {
  const settings = state.config.read();
  const isShown = createVisibilityCheck(state);
  return yield* snapshot(function* () {
    const included = matches.filter(({ score }) => roundToHundredths(score) >= options.minScore);
    const documents = yield* findHitDocuments(new Set(included.map(({ document }) => document)));
    const hits: SearchHit[] = [];
    for (const { document, score, passage, words, lists, logit } of included) {
      const found = documents.get(document);
      if (!found || !isShown(found)) continue;
      const wanted = withCorrectedTerms(words, options.terms);
      const { line, matchLine, lines } = createSnippet(passage.text, wanted, passage.line);
      const object = yield* findTypedObject(state, found, matchLine);
      const corrected = correctedWords(words, options.isPrefix);
      hits.push({
        docid: `#${yield* shortestUniqueHash(found)}`,
        file: `${found.root}/${found.path}`,
        title: found.title,
        score: roundToHundredths(score),
        context: contextOf(settings, found.root, found.path),
        snippet: numberLines(lines, line),
        line: passage.line,
        matchLine,
        endLine: passage.endLine,
        headings: [...passage.headings],
        ...(object && { object }),
        ...(corrected.length > 0 && { corrected }),
        ...(options.full && { body: yield* readDocumentText(state, found) }),
        ...(options.explain && {
          explain: words.map(toWordScore),
          ...(lists && { lists }),
          ...(logit !== undefined && { rerank: roundToHundredths(logit) }),
        }),
      });
    }
    return hits;
  });
}

/** The words for which similar ones were searched, with those that the passage has. */
export const correctedWords = (
  words: Match["words"],
  isPrefix: (word: string) => boolean,
): { word: string; read: string[] }[] =>
  words.flatMap(({ word, read }) => (read && !isPrefix(word) ? [{ word, read }] : []));

/** Adds the corrected spellings of query words. */
function withCorrectedTerms(
  words: Match["words"],
  wanted: ReadonlySet<string>,
): ReadonlySet<string> {
  const read = words.flatMap((word) => word.read ?? []);
  return read.length === 0 ? wanted : new Set([...wanted, ...tokenize(read.join(" "))]);
}

const roundToHundredths = (score: number): number => Math.round(score * 100) / 100;

const toWordScore = (scored: Match["words"][number]) => ({
  word: scored.word,
  ...(scored.read && { read: scored.read }),
  ...(scored.rare && { rare: scored.rare }),
  ...(scored.minor && { minor: scored.minor }),
  weight: roundToHundredths(scored.weight),
  strength: roundToHundredths(scored.strength),
  found: scored.found,
});
