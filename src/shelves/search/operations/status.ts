import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { homeGone } from "../../../kernel/held-files.ts";
import { embeddingModel, rerankingModel } from "../../../kernel/models/bundled.ts";
import { modelNames } from "../../../kernel/models/models.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { collectionsOf } from "../collections.ts";
import { countPending, hasMeaning } from "../meaning.ts";
import type { SearchState } from "../state.ts";

const operation = operationsOn<SearchState>();

export const status = operation({
  name: "status",
  title: "Index status",
  summary: "What the index holds: collections, numbers of documents, and what still needs vectors.",
  input: z.object({}),
  output: z.object({
    totalDocuments: z.int(),
    needsEmbedding: z.int(),
    hasVectorIndex: z.boolean(),
    revision: z.int().describe("Grows with every change of the index"),
    models: z
      .object({ embedding: z.string(), reranking: z.string(), expansion: z.string() })
      .describe("Which models are in force"),
    collections: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        pattern: z.string(),
        documents: z.int(),
        lastUpdated: z.string(),
      }),
    ),
  }),
  effect: "reads",
  expose: { mcp: true, http: "GET /status", cli: "status" },
  example: {},

  run(_input, state, call) {
    if (!state.db.isInPlace()) call.log("warn", homeGone().message);
    return {
      totalDocuments: state.documents.count(),
      needsEmbedding: countPending(state),
      hasVectorIndex: hasMeaning(state),
      revision: state.revision(),
      models: modelNames(state.models),
      collections: collectionsOf(state),
    };
  },

  present: ({ totalDocuments, needsEmbedding, hasVectorIndex, models, collections }) => [
    text(
      [
        "QMD Index Status:",
        `  Total documents: ${totalDocuments}`,
        `  Needs embedding: ${needsEmbedding}`,
        `  Vector index: ${hasVectorIndex ? "yes" : "no"}`,
        ...configured(models),
        `  Collections: ${collections.length}`,
        ...collections.map(({ path, documents }) => `    - ${path} (${documents} docs)`),
      ].join("\n"),
    ),
  ],
});

/** A line for whoever chose models; the document's own summary has none. */
function configured({ embedding, reranking, expansion }: Record<string, string>): string[] {
  const isShipped = embedding === embeddingModel.id && reranking === rerankingModel.id;
  if (isShipped && expansion === "none") return [];
  return [`  Models: embedding ${embedding}; re-ranking ${reranking}; expansion ${expansion}`];
}

export const statusOperations = [status];
