import { setImmediate as breathe } from "node:timers/promises";
import * as z from "zod";
import { shownDocuments } from "../../kernel/enclosure.ts";
import type { Match } from "../../kernel/index/contract.ts";
import { numbered } from "../../text/lines.ts";
import { excerpt } from "../../text/snippet.ts";
import { tokensOf } from "../../text/tokens.ts";
import { contextOf } from "./contexts.ts";
import { textOf } from "./reading.ts";
import type { SearchState } from "./state.ts";
import { documentWithId, shortHash } from "./storage.ts";
import { typedObjectAt } from "./typed-object.ts";

const WordScore = z.object({
  word: z.string(),
  read: z.array(z.string()).optional().describe("Spellings looked for instead"),
  weight: z.number().describe("Its share of the query"),
  strength: z.number().describe("How strongly the passage speaks of it"),
  found: z.object({
    title: z.number(),
    headings: z.number(),
    path: z.number(),
    body: z.number(),
  }),
});

const ListPlace = z.object({
  by: z.enum(["keywords", "meaning"]),
  query: z.string(),
  weight: z.number(),
  rank: z.int(),
});

export const SearchHit = z.object({
  docid: z.string().describe("Short id; `get` takes it"),
  file: z.string().describe("collection/path; `get` takes it"),
  title: z.string(),
  score: z.number().describe("0 to 1"),
  context: z.string().nullable().describe("What people say of the folder it lies in"),
  snippet: z.string().describe("The best passage, with the file's own line numbers"),
  line: z.int().describe("First line of the passage"),
  endLine: z.int().describe("Last line of the passage"),
  headings: z.array(z.string()).describe("Headings above the passage, the outermost first"),
  object: z
    .object({ id: z.string(), kind: z.string() })
    .optional()
    .describe("The typed object that it lies in"),
  body: z.string().optional().describe("The whole text, where `full` was asked for"),
  explain: z.array(WordScore).optional().describe("Why it has its score"),
  lists: z.array(ListPlace).optional().describe("Which searches found it, and at which rank"),
  rerank: z.number().optional().describe("What the re-ranker said; higher is better"),
});

export type SearchHit = z.output<typeof SearchHit>;

export interface HitOptions {
  /** The tokens that a snippet is chosen by. */
  wanted: ReadonlySet<string>;
  minScore: number;
  full: boolean;
  explain: boolean;
}

type Found = Match & { lists?: z.output<typeof ListPlace>[]; logit?: number };

/** So many are made before others have their turn. */
const hitsPerTurn = 100;

/** The same as `hitsFrom`, with the thread left to others now and then. */
export async function hitsInTurns(
  state: SearchState,
  matches: readonly Found[],
  options: HitOptions,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let start = 0; start < matches.length; start += hitsPerTurn) {
    if (start > 0) await breathe();
    hits.push(...hitsFrom(state, matches.slice(start, start + hitsPerTurn), options));
  }
  return hits;
}

/** What the index found, as people and programs are told of it. */
export function hitsFrom(
  state: SearchState,
  matches: readonly Found[],
  options: HitOptions,
): SearchHit[] {
  const { db, config } = state;
  const settings = config.read();
  const isShown = shownDocuments(state);
  return db.snapshot(() =>
    matches.flatMap(({ document, score, passage, words, lists, logit }): SearchHit[] => {
      const rounded = hundredths(score);
      const found = rounded >= options.minScore && documentWithId(db, document);
      if (!found || !isShown(found)) return [];
      const wanted = wantedIn(words, options.wanted);
      const { line, lines } = excerpt(passage.text, wanted, passage.line);
      const object = typedObjectAt(state, found, () => line + firstWith(wanted, lines));
      return [
        {
          docid: `#${shortHash(db, found.hash)}`,
          file: `${found.root}/${found.path}`,
          title: found.title,
          score: rounded,
          context: contextOf(settings, found.root, found.path),
          snippet: numbered(lines, line),
          line: passage.line,
          endLine: passage.endLine,
          headings: [...passage.headings],
          ...(object && { object }),
          ...(options.full && { body: textOf(state, found) }),
          ...(options.explain && {
            explain: words.map(roundedScore),
            ...(lists && { lists }),
            ...(logit !== undefined && { rerank: hundredths(logit) }),
          }),
        },
      ];
    }),
  );
}

/** The place of the first line that has one of the words, or of the first at all. */
const firstWith = (wanted: ReadonlySet<string>, lines: readonly string[]): number =>
  Math.max(
    lines.findIndex((line) => tokensOf(line).some((token) => wanted.has(token))),
    0,
  );

/** A word that was read as another is looked for as that one. */
function wantedIn(words: Match["words"], wanted: ReadonlySet<string>): ReadonlySet<string> {
  const read = words.flatMap((word) => word.read ?? []);
  return read.length === 0 ? wanted : new Set([...wanted, ...tokensOf(read.join(" "))]);
}

const hundredths = (score: number): number => Math.round(score * 100) / 100;

const roundedScore = ({ word, read, weight, strength, found }: Match["words"][number]) => ({
  word,
  ...(read && { read }),
  weight: hundredths(weight),
  strength: hundredths(strength),
  found,
});
