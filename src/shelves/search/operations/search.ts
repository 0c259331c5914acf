import { existsSync } from "node:fs";
import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { embeddingDisabled } from "../../../kernel/models/embedder.ts";
import { type Audience, operationsFor } from "../../../kernel/operation.ts";
import { type Note, notesShape, outputNotes } from "../../../kernel/operations/note.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { parseQuery, queryTokens } from "../../../text/search/query.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { requireCollection } from "../documents/collections.ts";
import { initialScanMessage, notYetScanned, waitForInitialScan } from "../indexing/initial-scan.ts";
import {
  createPrefixTest,
  exclusionNotes,
  languageNotes,
  onlyExclusionNotes,
  spellingNotes,
} from "../query/feedback.ts";
import { checkFilters } from "../query/filter-feedback.ts";
import { findMatchingDocuments, type SearchFilters, searchFilterShape } from "../query/filters.ts";
import type { SubQuery } from "../query/hybrid-search.ts";
import { explainScore } from "../query/score-explanation.ts";
import { isExpensiveSearch } from "../query/search-cost.ts";
import { buildHits, buildHitsInSlices, SearchHit } from "../query/search-hits.ts";
import type { SearchState } from "../state.ts";
import { coverageNotes, findNearestChunks, hasEmbeddings } from "../vectors/semantic-index.ts";

const operation = operationsFor<SearchState>();

export const queryInput = z.string().trim().min(1).max(10_000);

/** The input of all search operations, besides the query. */
export const searchShape = {
  limit: z.int().min(1).max(1_000).default(10).describe("Maximum results").meta({ short: "n" }),
  all: z.boolean().default(false).describe("All results, ignoring `limit`"),
  minScore: z.number().min(0).max(1).default(0).describe("Minimum score, 0 to 1"),
  collection: z.string().optional().describe("Search only this collection").meta({ flag: false }),
  collections: z
    .array(z.string())
    .max(100)
    .optional()
    .describe("Search only these collections")
    .meta({ flag: "collection", short: "c", separator: "," }),
  ...searchFilterShape,
  perFile: z.int().min(1).max(100).default(1).describe("Maximum passages per file"),
  full: z.boolean().default(false).describe("Include the full text of each file"),
  explain: z.boolean().default(false).describe("Explain each score"),
  minRevision: z.int().min(0).optional().describe("Wait for this index revision"),
};

export const searchOutput = z
  .object({ results: z.array(SearchHit), ...notesShape })
  .meta({ json: "results", documents: true });

export const keywordSearch = operation({
  name: "search",
  title: "Keyword search",
  summary:
    'Find documents by keyword (BM25). Fast; needs no model. "quoted phrases" are required, -words are excluded, prefix* matches word beginnings.',
  input: z.object({
    query: queryInput.describe("Words and quoted phrases"),
    ...searchShape,
  }),
  output: searchOutput,
  effect: "reads",
  expose: { mcp: true, http: "POST /search", cli: "search <query...>" },
  example: { query: "lamp", limit: 2 },

  isHeavy: async (input, { index, store }) =>
    isExpensiveSearch(input, resultLimit(input), await store.run(index.count())),
  async run(input, state, call) {
    const { unscanned, notes, ...options } = await prepareMatchOptions(input, state, call);
    const { store } = state;
    const matches = await store.run(state.index.match(parseQuery(input.query), options));
    const hits = buildHits(state, matches, toHitOptions(input, [input.query]));
    const results = await store.run(hits);
    reportGaps(results, unscanned, state, call);
    notes.push(...onlyExclusionNotes(input.query));
    const spelling = spellingNotes(state, [input.query], matches, input.minScore);
    notes.push(...(await store.run(spelling)));
    return { results, ...outputNotes(notes) };
  },
  present: ({ results }, { query }, reader) => [textBlock(formatHits(results, query, reader))],
});

export const semanticSearch = operation({
  name: "vsearch",
  title: "Semantic search",
  summary: "Find documents by meaning, even if they use other words. Needs embeddings: see status.",
  input: z.object({
    query: queryInput.describe("A question in natural language"),
    ...searchShape,
    minScore: searchShape.minScore.default(0.3),
  }),
  output: searchOutput,
  effect: "reads",
  expose: { mcp: true, http: "POST /vsearch", cli: "vsearch|vector-search <query...>" },
  example: { query: "how is the light lit?", limit: 2 },

  async run(input, state, call) {
    if (state.models.embedder.isOff) throw embeddingDisabled();
    const { unscanned, notes, ...options } = await prepareMatchOptions(input, state, call);
    const { store } = state;
    const isEmbedded = await store.run(hasEmbeddings(state));
    if (!isEmbedded) throw unscanned.length > 0 ? notYetScanned(unscanned) : noVectors();
    const vector = await state.models.embedder.embedQuery(input.query, call.signal);
    const matches = await store.run(findNearestChunks(state, vector, options));
    const results = await buildHitsInSlices(state, matches, toHitOptions(input, [input.query]));
    reportGaps(results, unscanned, state, call);
    notes.push(...(await store.run(coverageNotes(state, options.roots))));
    notes.push(...languageNotes(state, input.query), ...exclusionNotes([input.query]));
    return { results, ...outputNotes(notes) };
  },
  present: ({ results }, { query }, reader) => [textBlock(formatHits(results, query, reader))],
});

const TypedQuery = z.object({
  type: z.enum(["lex", "vec", "hyde"]).describe("Keywords, a question, or a hypothetical answer"),
  query: queryInput,
});

export const hybridQuery = operation({
  name: "query",
  title: "Hybrid search",
  summary:
    "Best results: combines keyword and semantic search and re-ranks. Uses only keywords if there are no embeddings.",
  input: z.object({
    query: queryInput.optional().describe("A question in natural language"),
    searches: z
      .array(TypedQuery)
      .min(1)
      .max(10)
      .optional()
      .describe("Sub-queries instead of `query`; the first two have double weight"),
    intent: z.string().max(2_000).optional().describe("The purpose of the search"),
    candidateLimit: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe("Number of results to re-rank")
      .meta({ short: "C" }),
    rerank: z.boolean().default(true).describe("Re-rank the best results"),
    ...searchShape,
  }),
  output: searchOutput,
  effect: "reads",
  expose: { mcp: true, http: "POST /query", cli: "query|deep-search [query...]" },
  example: { query: "how is the lamp lit?", limit: 2 },

  async run(input, state, call) {
    const searches = toSubQueries(input);
    const { unscanned, notes, ...options } = await prepareMatchOptions(input, state, call);
    const { hybridSearch } = await import("../query/hybrid-search.ts");
    const { matches, notes: skipped } = await hybridSearch(
      state,
      searches,
      {
        ...options,
        // A caller's own sub-queries are not expanded.
        expand: input.searches === undefined,
        rerank: input.rerank,
        candidates: input.candidateLimit,
        intent: input.intent,
      },
      call,
    );
    const queries = searches.map(({ query }) => query);
    const results = await buildHitsInSlices(state, matches, toHitOptions(input, queries));
    reportGaps(results, unscanned, state, call);
    const spelling = spellingNotes(state, queries, matches, input.minScore);
    notes.push(...skipped, ...(await state.store.run(spelling)));
    return { results, ...outputNotes(notes) };
  },
  present: ({ results }, input, reader) => [
    textBlock(formatHits(results, queryLabel(input), reader)),
  ],
});

export const searchOperations = [keywordSearch, semanticSearch, hybridQuery];

type SearchInput = z.output<z.ZodObject<typeof searchShape>> & SearchFilters;

/** Waits for `minRevision` and the initial scan, and resolves the filters of a search. */
async function prepareMatchOptions(input: SearchInput, state: SearchState, call: Call) {
  await requireRevision(input.minRevision, state, call);
  const settings = state.config.read();
  const one = input.collection === undefined ? [] : [input.collection];
  const roots = [...(input.collections ?? []), ...one];
  for (const root of roots) requireCollection(settings, root);
  const unscanned = await waitForInitialScan(state, call, roots.length > 0 ? roots : undefined);
  const notes: Note[] =
    unscanned.length > 0
      ? [{ kind: "incomplete", message: initialScanMessage(unscanned) }]
      : await state.store.run(checkFilters(input));
  return {
    unscanned,
    notes,
    limit: resultLimit(input),
    roots: roots.length > 0 ? roots : undefined,
    documents: await state.store.run(findMatchingDocuments(input)),
    perDocument: input.perFile,
  };
}

const resultLimit = ({ all, limit }: SearchInput): number => (all ? maxResults : limit);

const toHitOptions = (input: SearchInput, queries: readonly string[]) => ({
  terms: new Set(queries.flatMap((query) => [...queryTokens(parseQuery(query))])),
  isPrefix: createPrefixTest(queries),
  minScore: input.minScore,
  full: input.full,
  explain: input.explain,
});

/**
 * Reports why results may be missing: collections that are still being scanned, folders that do not
 * exist, or no collections at all. An empty result during the initial scan is an error.
 */
function reportGaps(
  results: readonly SearchHit[],
  unscanned: readonly string[],
  { config }: SearchState,
  call: Call,
): void {
  if (unscanned.length > 0 && results.length === 0) throw notYetScanned(unscanned);
  if (results.length > 0) return;
  const collections = Object.entries(config.read().collections);
  const missing = collections.filter(([, { path }]) => !existsSync(path)).map(([name]) => name);
  if (missing.length > 0) {
    call.log("warn", `The folders of these collections do not exist: ${missing.join(", ")}.`);
  } else if (collections.length === 0) {
    call.log("warn", "There are no collections yet. Add one: lectern collection add <folder>");
  }
}

const noVectors = (): Failure =>
  new Failure(
    "unavailable",
    "no-vectors",
    "Vector index not found. Run 'qmd embed' first to create embeddings.",
  );

/** The limit with `all`: few enough results to send in one response. */
const maxResults = 10_000;

async function requireRevision(
  minRevision: number | undefined,
  state: SearchState,
  call: Call,
): Promise<void> {
  if (minRevision === undefined || (await state.waitForRevision(minRevision, call.signal))) return;
  throw new Failure(
    "unavailable",
    "not-yet",
    `The index is at revision ${await state.store.run(state.revision())}, not yet at ${minRevision}.`,
    { hints: ["Try again in a moment, or run `lectern update`."] },
  );
}

interface QueryInput {
  query?: string | undefined;
  searches?: readonly SubQuery[] | undefined;
}

/** Either `query` or `searches` must be set, but not both. */
function toSubQueries({ query, searches }: QueryInput): readonly SubQuery[] {
  if (query !== undefined && searches !== undefined) {
    throw invalid("'query' and 'searches' are mutually exclusive; provide only one.");
  }
  if (searches) return searches;
  if (query === undefined) {
    throw invalid("Provide either 'query' (plain text) or 'searches' (typed sub-queries).");
  }
  return [{ type: "both", query }];
}

const queryLabel = ({ query, searches = [] }: QueryInput): string =>
  query ?? searches[0]?.query ?? "";

/** One line per hit for agents, one paragraph per hit for programs; people also see the snippet. */
export function formatHits(results: readonly SearchHit[], query: string, reader: Audience): string {
  if (results.length === 0) return `No results found for "${query}"`;
  const found = `Found ${pluralise(results.length, "result")} for "${query}"`;
  const lines = results.map(
    ({ docid, score, file, title }) =>
      `${docid} ${Math.round(score * 100)}% ${toPrintable(file)} - ${title}`,
  );
  if (reader === "agent") return `${found}:\n\n${lines.join("\n")}`;
  if (reader === "program") return [found, ...lines].join("\n\n");
  return results
    .map((hit, index) => {
      const reason = explainScore(hit);
      const details = reason === undefined ? [hit.snippet] : [reason, hit.snippet];
      return [lines[index], ...details.map(indent)].join("\n");
    })
    .join("\n\n");
}

const indent = (text: string): string => text.replace(/^/gm, "    ");
