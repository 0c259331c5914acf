import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { collectionNamed } from "../collections.ts";
import { typeOf } from "../filters.ts";
import type { SearchState } from "../state.ts";
import { allPlaces } from "../storage.ts";
import { dateRange, languageCounts, sortingKeys, valueCounts } from "../storage-facets.ts";
import { asking, hitList, hybrid, output, query, search, vsearch } from "./searching.ts";

const operation = operationsOn<SearchState>();

/** What a search by meaning leaves out unless it is told otherwise. */
const leastLikeness = 0.3;

/** The ways to search behind one name, with what people narrow by; agents have a tool for each. */
export const find = operation({
  name: "find",
  title: "Find documents",
  summary: "Find documents by keywords, by meaning or by both, narrowed by type and language too.",
  input: z.object({
    query: query.describe("Words to look for, or a question"),
    by: z.enum(["keywords", "meaning", "both"]).default("keywords").describe("How to look"),
    type: z.string().min(1).max(50).optional().describe("Only files with this ending, such as md"),
    language: z
      .string()
      .min(2)
      .max(2)
      .optional()
      .describe("Only documents written in this language, such as de"),
    ...asking,
    minScore: asking.minScore.unwrap().optional().describe("Least score, 0 to 1"),
    rerank: z.boolean().default(true).describe("Re-rank the best, where both are used"),
  }),
  output: output
    .extend({ notes: z.array(z.string()).optional().describe("What was left out, and why") })
    .meta({ json: "results" }),
  effect: "reads",
  expose: { http: "POST /find", cli: "find <query...>" },
  example: { query: "lamp", type: "md", limit: 2 },

  run(input, state, call) {
    const { by, minScore } = input;
    if (by === "keywords") return search.run({ ...input, minScore: minScore ?? 0 }, state, call);
    if (by === "both") return hybrid.run({ ...input, minScore: minScore ?? 0 }, state, call);
    return vsearch.run({ ...input, minScore: minScore ?? leastLikeness }, state, call);
  },
  present: ({ results, notes = [] }, { query }, reader) => [
    text(hitList(results, query, reader)),
    ...(reader === "person" ? notes.map(text) : []),
  ],
});

const Counted = z.object({ value: z.string(), documents: z.int() });

const most = { values: 30, keys: 20 };

export const facets = operation({
  name: "facets",
  title: "What a search can be narrowed by",
  summary: "The types, languages, dates and values of the front matter that documents have.",
  input: z.object({ collection: z.string().optional().describe("Only this collection") }),
  output: z.object({
    types: z.array(Counted).describe("Endings of files"),
    languages: z.array(Counted).describe("Two letters each"),
    dates: z.object({ first: z.string(), last: z.string() }).optional(),
    fields: z
      .array(z.object({ key: z.string(), documents: z.int(), values: z.array(Counted) }))
      .describe("Keys of the front matter whose values come again"),
  }),
  effect: "reads",
  expose: { http: "GET /facets", cli: "facets [collection]" },
  example: {},

  run({ collection }, { db, config }) {
    if (collection !== undefined) collectionNamed(config.read(), collection);
    return db.snapshot(() => {
      const range = dateRange(db, collection);
      return {
        types: typeCounts(allPlaces(db).filter(({ root }) => (collection ?? root) === root)),
        languages: languageCounts(db, collection).slice(0, most.values),
        ...(range?.first != null &&
          range.last !== null && { dates: { first: dayOf(range.first), last: dayOf(range.last) } }),
        fields: sortingKeys(db, collection, most.keys).map(({ key, documents }) => ({
          key,
          documents,
          values: valueCounts(db, collection, key, most.values),
        })),
      };
    });
  },
  present: ({ types, languages, fields }) => [
    text(
      [
        `Types: ${listed(types)}`,
        `Languages: ${listed(languages)}`,
        ...fields.map(({ key, values }) => `${key}: ${listed(values)}`),
      ].join("\n"),
    ),
  ],
});

export const findingOperations = [find, facets];

function typeCounts(places: readonly { path: string }[]): z.output<typeof Counted>[] {
  const counts = new Map<string, number>();
  for (const { path } of places) {
    const type = typeOf(path);
    if (type !== "") counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, documents]) => ({ value, documents }))
    .sort((a, b) => b.documents - a.documents || (a.value < b.value ? -1 : 1))
    .slice(0, most.values);
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const listed = (counts: readonly z.output<typeof Counted>[]): string =>
  counts.map(({ value, documents }) => `${value} (${documents})`).join(", ") || "none";
