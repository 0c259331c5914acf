import * as z from "zod";
import { carryOut, type Exchange, removeEmpty } from "../../../kernel/file-exchange.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

/** How every writer of the shelf is undone, and its undoing as well. It is on no surface. */
export const exchangeRepositoryFiles = operation({
  name: "exchange_repository_files",
  title: "Put files of a repository back",
  summary: "Put files back as they were, where they are still as they were left.",
  input: z.object({
    root: z.string(),
    files: z
      .array(
        z.object({
          file: z.string(),
          before: z.string().nullable(),
          after: z.string().nullable(),
        }),
      )
      .min(1),
    folders: z.array(z.string()).default([]).describe("Taken away once they are empty"),
  }),
  output: z.object({ files: z.array(z.string()) }),
  effect: "writes",
  expose: {},
  example: { root: ".", files: [{ file: "docs/new-page.md", before: null, after: "# New\n" }] },
  run({ root: given, files, folders }, state, call) {
    const root = state.boundary.enter(given);
    const names = files.map(({ file }) => file);
    carryOut(
      state,
      root,
      {
        exchanges: files,
        summary: `Put back ${names.length <= 3 ? names.join(", ") : counted(names.length, "file")}`,
        operation: "exchange_repository_files",
        undo: (back: Exchange[], made: string[]) => ({
          operation: "exchange_repository_files",
          input: { root, files: back, folders: made },
        }),
      },
      call,
    );
    removeEmpty(state.boundary, root, folders);
    return { files: names };
  },
});
