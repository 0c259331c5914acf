import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { snapshot } from "../../../kernel/storage/steps.ts";
import { requireCollection } from "../documents/collections.ts";
import { fileExtensionOf } from "../query/filters.ts";
import type { SearchState } from "../state.ts";
import { listDocumentPaths } from "../storage.ts";
import { countLanguages, countValues, findFacetKeys, readDateRange } from "../storage-facets.ts";
import {
  formatHits,
  hybridQuery,
  keywordSearch,
  queryInput,
  searchOutput,
  searchShape,
  semanticSearch,
} from "./search.ts";

const operation = operationsFor<SearchState>();

/** The default minimum score of a semantic search. */
const minSimilarity = 0.3;

/** All search methods in one operation, with filters for the web app; agents have a tool for each. */
export const findDocuments = operation({
  name: "find",
  title: "Find documents",
  summary: "Find documents by keywords, by meaning or by both, filtered by type and language.",
  input: z.object({
    query: queryInput.describe("Keywords or a question"),
    by: z.enum(["keywords", "meaning", "both"]).default("keywords").describe("The search method"),
    type: z
      .string()
      .min(1)
      .max(50)
      .optional()
      .describe("Only files with this extension, such as md"),
    language: z
      .string()
      .min(2)
      .max(2)
      .optional()
      .describe("Only documents in this language, such as de"),
    ...searchShape,
    minScore: searchShape.minScore.unwrap().optional().describe("Minimum score, 0 to 1"),
    rerank: z.boolean().default(true).describe("Re-rank the best results of `both`"),
  }),
  output: searchOutput,
  effect: "reads",
  expose: { http: "POST /find", cli: "find <query...>" },
  example: { query: "lamp", type: "md", limit: 2 },

  run(input, state, call) {
    const { by, minScore } = input;
    if (by === "keywords")
      return keywordSearch.run({ ...input, minScore: minScore ?? 0 }, state, call);
    if (by === "both") return hybridQuery.run({ ...input, minScore: minScore ?? 0 }, state, call);
    return semanticSearch.run({ ...input, minScore: minScore ?? minSimilarity }, state, call);
  },
  present: ({ results }, { query }, reader) => [textBlock(formatHits(results, query, reader))],
});

const FacetValue = z.object({ value: z.string(), documents: z.int() });

const Field = z.object({ key: z.string(), documents: z.int(), values: z.array(FacetValue) });

const maxFacets = { values: 30, keys: 20 };

export const listFacets = operation({
  name: "facets",
  title: "List search facets",
  summary: "List the values to filter by: file types, languages, dates and front matter fields.",
  input: z.object({ collection: z.string().optional().describe("Only this collection") }),
  output: z.object({
    types: z.array(FacetValue).describe("File extensions"),
    languages: z.array(FacetValue).describe("ISO 639-1 codes"),
    dates: z.object({ first: z.string(), last: z.string() }).optional(),
    fields: z.array(Field).describe("Front matter keys with repeated values"),
  }),
  effect: "reads",
  expose: { http: "GET /facets", cli: "facets [collection]" },
  example: {},

  *run({ collection }, { config }) {
    if (collection !== undefined) requireCollection(config.read(), collection);
    return yield* snapshot(function* () {
      const range = yield* readDateRange(collection);
      const paths = yield* listDocumentPaths();
      const languages = yield* countLanguages(collection);
      const fields: z.output<typeof Field>[] = [];
      for (const { key, documents } of yield* findFacetKeys(collection, maxFacets.keys)) {
        const values = yield* countValues(collection, key, maxFacets.values);
        fields.push({ key, documents, values });
      }
      return {
        types: countTypes(paths.filter(({ root }) => (collection ?? root) === root)),
        languages: languages.slice(0, maxFacets.values),
        ...(range?.first != null &&
          range.last !== null && {
            dates: { first: isoDay(range.first), last: isoDay(range.last) },
          }),
        fields,
      };
    });
  },
  present: ({ types, languages, fields }) => [
    textBlock(
      [
        `Types: ${formatCounts(types)}`,
        `Languages: ${formatCounts(languages)}`,
        ...fields.map(({ key, values }) => `${key}: ${formatCounts(values)}`),
      ].join("\n"),
    ),
  ],
});

export const findOperations = [findDocuments, listFacets];

function countTypes(documents: readonly { path: string }[]): z.output<typeof FacetValue>[] {
  const counts = new Map<string, number>();
  for (const { path } of documents) {
    const type = fileExtensionOf(path);
    if (type !== "") counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, documents]) => ({ value, documents }))
    .sort((a, b) => b.documents - a.documents || (a.value < b.value ? -1 : 1))
    .slice(0, maxFacets.values);
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const formatCounts = (counts: readonly z.output<typeof FacetValue>[]): string =>
  counts.map(({ value, documents }) => `${value} (${documents})`).join(", ") || "none";
