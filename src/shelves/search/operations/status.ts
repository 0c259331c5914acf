import * as z from "zod";
import {
  bundledEmbeddingModel,
  bundledRerankingModel,
} from "../../../kernel/models/bundled-models.ts";
import { modelNames } from "../../../kernel/models/models.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { describeCollections } from "../documents/collections.ts";
import type { SearchState } from "../state.ts";
import { countUnembedded, hasEmbeddings } from "../vectors/semantic-index.ts";

const operation = operationsFor<SearchState>();

export const indexStatus = operation({
  name: "status",
  title: "Index status",
  summary: "Show the index status: collections, document counts, and documents without embeddings.",
  input: z.object({}),
  output: z.object({
    totalDocuments: z.int(),
    needsEmbedding: z.int(),
    hasVectorIndex: z.boolean(),
    revision: z.int().describe("Increases with every change of the index"),
    models: z
      .object({ embedding: z.string(), reranking: z.string(), expansion: z.string() })
      .describe("The models in use"),
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

  *run(_input, state, call) {
    const problem = state.homeProblem();
    if (problem) call.log("warn", problem.message);
    return {
      totalDocuments: yield* state.documents.count(),
      needsEmbedding: yield* countUnembedded(state),
      hasVectorIndex: yield* hasEmbeddings(state),
      revision: yield* state.revision(),
      models: modelNames(state.models),
      collections: yield* describeCollections(state),
    };
  },

  present: (
    { totalDocuments, needsEmbedding, hasVectorIndex, models, collections },
    _input,
    reader,
  ) => [
    textBlock(
      [
        "QMD Index Status:",
        `  Total documents: ${totalDocuments}`,
        `  Needs embedding: ${needsEmbedding}`,
        `  Vector index: ${hasVectorIndex ? "yes" : "no"}`,
        ...modelsLine(models),
        `  Collections: ${collections.length}`,
        ...collections.map(({ name, path, documents }) => {
          const line = `    - ${path} (${documents} docs)`;
          return reader === "person" ? `${line}, collection '${name}'` : line;
        }),
      ].join("\n"),
    ),
  ],
});

/** Only if other models are configured: the founding document's status text has no such line. */
function modelsLine({ embedding, reranking, expansion }: Record<string, string>): string[] {
  const isBundled =
    embedding === bundledEmbeddingModel.id && reranking === bundledRerankingModel.id;
  if (isBundled && expansion === "none") return [];
  return [`  Models: embedding ${embedding}; re-ranking ${reranking}; expansion ${expansion}`];
}

export const statusOperations = [indexStatus];
