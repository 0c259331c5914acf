import { existsSync } from "node:fs";
import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { transaction } from "../../../kernel/storage/steps.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import type { SearchState } from "../state.ts";

const operation = operationsFor<SearchState>();

const cleanUp = operation({
  name: "cleanup",
  title: "Clean up",
  summary: "Delete index data of removed documents and unused models, and free the disk space.",
  input: z.object({}),
  output: z.object({
    status: z.literal("cleaned"),
    documents: z.int().describe("Documents removed from the index"),
    bytes: z.int().describe("Bytes freed in the store"),
  }),
  effect: "writes",
  expose: { http: "POST /cleanup", cli: "cleanup" },
  example: {},

  run(_input, state) {
    const { store, documents, indexer, index, semanticIndex, conversionCache, roots } = state;
    return state.queue.run("cleanup", async () => {
      const before = await store.run(documents.count());
      const size = await store.size();
      await store.run(indexer.removeUnconfigured(roots));
      await store.run(
        transaction(function* () {
          yield* conversionCache.dropUnused();
          yield* index.compact();
          // Documents on an unmounted disk will come back, and embedding them again may take hours.
          if (roots().every(({ path }) => existsSync(path)))
            yield* semanticIndex.dropUnusedVectors();
        }),
      );
      store.vacuum();
      return {
        status: "cleaned" as const,
        documents: before - (await store.run(documents.count())),
        bytes: Math.max(size - (await store.size()), 0),
      };
    });
  },

  present: ({ documents, bytes }) => [
    textBlock(`Removed ${pluralise(documents, "document")}; freed ${formatKilobytes(bytes)}`),
  ],
});

export const cleanupOperations = [cleanUp];

const formatKilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;
