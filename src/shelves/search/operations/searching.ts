import { existsSync } from "node:fs";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import type { Call } from "../../../kernel/call.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { switchedOff } from "../../../kernel/models/embedder.ts";
import { operationsOn, type Reader } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { readQuery, wantedTokens } from "../../../text/query.ts";
import { visible } from "../../../text/visible.ts";
import { collectionNamed } from "../collections.ts";
import { isExpensive } from "../cost.ts";
import { documentsThatFit, type Narrowing, narrowing } from "../filters.ts";
import { firstReading, notYet, stillRead } from "../first-reading.ts";
import { hitsFrom, hitsInTurns, SearchHit } from "../hits.ts";
import type { SubQuery } from "../hybrid-search.ts";
import { hasMeaning, nearest } from "../meaning.ts";
import { reasonOf } from "../reason.ts";
import type { SearchState } from "../state.ts";

const operation = operationsOn<SearchState>();

export const query = z.string().trim().min(1).max(10_000);

/** What every way of searching takes beside its query. */
export const asking = {
  limit: z.int().min(1).max(1_000).default(10).describe("Most results").meta({ short: "n" }),
  all: z.boolean().default(false).describe("Every result, whatever the limit"),
  minScore: z.number().min(0).max(1).default(0).describe("Least score, 0 to 1"),
  collection: z.string().optional().describe("Look only in this collection").meta({ flag: false }),
  collections: z
    .array(z.string())
    .max(100)
    .optional()
    .describe("Look only in these collections")
    .meta({ flag: "collection", short: "c", separator: "," }),
  ...narrowing,
  perFile: z.int().min(1).max(100).default(1).describe("Most passages of one file"),
  full: z.boolean().default(false).describe("Give the whole text of each file too"),
  explain: z.boolean().default(false).describe("Say what made each score"),
  minRevision: z.int().min(0).optional().describe("Wait until the index has this revision"),
};

export const output = z.object({ results: z.array(SearchHit) }).meta({ json: "results" });

export const search = operation({
  name: "search",
  title: "Keyword search",
  summary:
    'Find documents by keyword. Fast and exact; needs no model. "quoted phrases" must be there, -words must not, begin* finds beginnings.',
  input: z.object({ query: query.describe("Words or quoted phrases to look for"), ...asking }),
  output,
  effect: "reads",
  expose: { mcp: true, http: "POST /search", cli: "search <query...>" },
  example: { query: "lamp", limit: 2 },

  isHeavy: (input, { index }) => isExpensive(input, resultsOf(input), index.count()),
  async run(input, state, call) {
    const { unread, ...options } = await optionsFor(input, state, call);
    const matches = state.index.match(readQuery(input.query), options);
    const results = hitsFrom(state, matches, hitOptions(input, [input.query]));
    tellOfGaps(results, unread, state, call);
    return { results };
  },
  present: ({ results }, { query }, reader) => [text(hitList(results, query, reader))],
});

export const vsearch = operation({
  name: "vsearch",
  title: "Semantic search",
  summary: "Find documents by meaning, even where they use other words. Needs vectors: see status.",
  input: z.object({
    query: query.describe("A question in plain words"),
    ...asking,
    minScore: asking.minScore.default(0.3),
  }),
  output,
  effect: "reads",
  expose: { mcp: true, http: "POST /vsearch", cli: "vsearch|vector-search <query...>" },
  example: { query: "how is the light lit?", limit: 2 },

  async run(input, state, call) {
    if (state.models.embedder.isOff) throw switchedOff();
    const { unread, ...options } = await optionsFor(input, state, call);
    if (!hasMeaning(state)) throw unread.length > 0 ? notYet(unread) : noVectors();
    const vector = await state.models.embedder.embedQuery(input.query, call.signal);
    const matches = nearest(state, vector, options);
    const results = await hitsInTurns(state, matches, hitOptions(input, [input.query]));
    tellOfGaps(results, unread, state, call);
    return { results };
  },
  present: ({ results }, { query }, reader) => [text(hitList(results, query, reader))],
});

const TypedQuery = z.object({
  type: z.enum(["lex", "vec", "hyde"]).describe("Keywords, a question, or an imagined answer"),
  query,
});

export const hybrid = operation({
  name: "query",
  title: "Hybrid search",
  summary:
    "The best results: keywords and meaning together, re-ranked. Uses keywords alone where there are no vectors.",
  input: z.object({
    query: query.optional().describe("A question in plain words"),
    searches: z
      .array(TypedQuery)
      .min(1)
      .max(10)
      .optional()
      .describe("Searches of your own instead of `query`; the first two count double"),
    intent: z.string().max(2_000).optional().describe("What the answer is for"),
    candidateLimit: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe("How many are re-ranked")
      .meta({ short: "C" }),
    rerank: z.boolean().default(true).describe("Re-rank the best"),
    ...asking,
  }),
  output: output
    .extend({
      notes: z.array(z.string()).optional().describe("What was left out, and why"),
    })
    .meta({ json: "results" }),
  effect: "reads",
  expose: { mcp: true, http: "POST /query", cli: "query|deep-search [query...]" },
  example: { query: "how is the lamp lit?", limit: 2 },

  async run(input, state, call) {
    const searches = askedFor(input);
    const { unread, ...options } = await optionsFor(input, state, call);
    const { hybridSearch } = await import("../hybrid-search.ts");
    const { matches, notes } = await hybridSearch(
      state,
      searches,
      {
        ...options,
        // Whoever names searches of their own has thought of them already.
        expand: input.searches === undefined,
        rerank: input.rerank,
        candidates: input.candidateLimit,
        intent: input.intent,
      },
      call,
    );
    const words = searches.map(({ query }) => query);
    const results = await hitsInTurns(state, matches, hitOptions(input, words));
    tellOfGaps(results, unread, state, call);
    if (unread.length > 0) notes.push(stillRead(unread));
    return { results, ...(notes.length > 0 && { notes: [...new Set(notes)] }) };
  },
  present: ({ results, notes = [] }, input, reader) => [
    text(hitList(results, nameOf(input), reader)),
    // Agents and programs have them as data; their texts are those of the founding document.
    ...(reader === "person" ? notes.map(text) : []),
  ],
});

export const searchingOperations = [search, vsearch, hybrid];

type Asking = z.output<z.ZodObject<typeof asking>> & Narrowing;

/** What every way of searching is held to, once the index is as new as it was asked to be. */
async function optionsFor(input: Asking, state: SearchState, call: Call) {
  await demandRevision(input.minRevision, state, call);
  const settings = state.config.read();
  const one = input.collection === undefined ? [] : [input.collection];
  const roots = [...(input.collections ?? []), ...one];
  for (const root of roots) collectionNamed(settings, root);
  return {
    unread: await firstReading(state, call, roots.length > 0 ? roots : undefined),
    limit: resultsOf(input),
    roots: roots.length > 0 ? roots : undefined,
    documents: documentsThatFit(state, input),
    perDocument: input.perFile,
  };
}

const resultsOf = ({ all, limit }: Asking): number => (all ? mostResults : limit);

const hitOptions = (input: Asking, queries: readonly string[]) => ({
  wanted: new Set(queries.flatMap((query) => [...wantedTokens(readQuery(query))])),
  minScore: input.minScore,
  full: input.full,
  explain: input.explain,
});

/**
 * Who finds nothing shall not look for other words where there is nothing to be found. Nothing found
 * in what is only being read is no answer at all, and what was found in it may not be the best.
 */
function tellOfGaps(
  results: readonly SearchHit[],
  unread: readonly string[],
  { config }: SearchState,
  call: Call,
): void {
  if (unread.length > 0) {
    if (results.length === 0) throw notYet(unread);
    call.log("warn", stillRead(unread));
  }
  if (results.length > 0) return;
  const collections = Object.entries(config.read().collections);
  const gone = collections.filter(([, { path }]) => !existsSync(path)).map(([name]) => name);
  if (gone.length > 0) {
    call.log("warn", `Folders of collections are not there: ${gone.join(", ")}.`);
  } else if (collections.length === 0) {
    call.log("warn", "There is no collection yet: lectern collection add <folder>");
  }
}

const noVectors = (): Failure =>
  new Failure(
    "unavailable",
    "no-vectors",
    "Vector index not found. Run 'qmd embed' first to create embeddings.",
  );

/** What `all` means: more than anybody reads, and few enough to be sent. */
const mostResults = 10_000;

async function demandRevision(
  least: number | undefined,
  state: SearchState,
  call: Call,
): Promise<void> {
  if (least === undefined || (await state.waitForRevision(least, call.signal))) return;
  throw new Failure(
    "unavailable",
    "not-yet",
    `The index is at revision ${state.revision()}, not yet at ${least}.`,
    { hints: ["Ask again in a moment, or run `lectern update`."] },
  );
}

interface Queries {
  query?: string | undefined;
  searches?: readonly SubQuery[] | undefined;
}

/** One query, or several of the caller's own; never both and never none. */
function askedFor({ query, searches }: Queries): readonly SubQuery[] {
  if (query !== undefined && searches !== undefined) {
    throw invalid("'query' and 'searches' are mutually exclusive; provide only one.");
  }
  if (searches) return searches;
  if (query === undefined) {
    throw invalid("Provide either 'query' (plain text) or 'searches' (typed sub-queries).");
  }
  return [{ type: "both", query }];
}

const nameOf = ({ query, searches = [] }: Queries): string => query ?? searches[0]?.query ?? "";

/** Agents read one line a hit, programs a paragraph a hit; people see the passage too. */
export function hitList(results: readonly SearchHit[], query: string, reader: Reader): string {
  if (results.length === 0) return `No results found for "${query}"`;
  const found = `Found ${counted(results.length, "result")} for "${query}"`;
  const lines = results.map(
    ({ docid, score, file, title }) =>
      `${docid} ${Math.round(score * 100)}% ${visible(file)} - ${title}`,
  );
  if (reader === "agent") return `${found}:\n\n${lines.join("\n")}`;
  if (reader === "program") return [found, ...lines].join("\n\n");
  return results
    .map((hit, index) => {
      const reason = reasonOf(hit);
      const below = reason === undefined ? [hit.snippet] : [reason, hit.snippet];
      return [lines[index], ...below.map(indented)].join("\n");
    })
    .join("\n\n");
}

const indented = (words: string): string => words.replace(/^/gm, "    ");
