import { existsSync } from "node:fs";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import type { SearchState } from "../state.ts";

const operation = operationsOn<SearchState>();

const cleanUp = operation({
  name: "cleanup",
  title: "Clean up",
  summary: "Drop what documents and models left behind that are gone, and give the space back.",
  input: z.object({}),
  output: z.object({
    status: z.literal("cleaned"),
    documents: z.int().describe("Documents that were dropped"),
    bytes: z.int().describe("By how much the store became smaller"),
  }),
  effect: "writes",
  expose: { http: "POST /cleanup", cli: "cleanup" },
  example: {},

  run(_input, { db, documents, intake, index, meaning, converted, roots, queue }) {
    return queue.run("cleanup", async () => {
      const before = documents.count();
      const size = db.size();
      intake.forgetAllBut(roots);
      db.transaction(() => {
        converted.dropUnused();
        index.tidy();
        // What lies on a disk that is away comes back, and its vectors took hours.
        if (roots().every(({ path }) => existsSync(path))) meaning.tidy();
      });
      db.compact();
      return {
        status: "cleaned" as const,
        documents: before - documents.count(),
        bytes: Math.max(size - db.size(), 0),
      };
    });
  },

  present: ({ documents, bytes }) => [
    text(`Dropped ${counted(documents, "document")}; the store is ${kilobytes(bytes)} smaller`),
  ],
});

export const careOperations = [cleanUp];

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;
