import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { modelOf } from "../meaning.ts";
import type { SearchState } from "../state.ts";
import { countWithoutChunks, hasChunks } from "../storage-chunks.ts";
import { collectionsOf } from "./collections.ts";

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

  run(_input, state) {
    return {
      totalDocuments: state.documents.count(),
      needsEmbedding: countWithoutChunks(state.db, modelOf(state)),
      hasVectorIndex: hasChunks(state.db),
      revision: state.revision(),
      collections: collectionsOf(state),
    };
  },

  present: ({ totalDocuments, needsEmbedding, hasVectorIndex, collections }) => [
    text(
      [
        "QMD Index Status:",
        `  Total documents: ${totalDocuments}`,
        `  Needs embedding: ${needsEmbedding}`,
        `  Vector index: ${hasVectorIndex ? "yes" : "no"}`,
        `  Collections: ${collections.length}`,
        ...collections.map(({ path, documents }) => `    - ${path} (${documents} docs)`),
      ].join("\n"),
    ),
  ],
});

export const statusOperations = [status];
