import * as z from "zod";
import { exchangeFiles, fileExchangeShape } from "../../../kernel/files/file-exchange.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import type { SearchState } from "../state.ts";

const operation = operationsFor<SearchState>();

export const exchangeNotesOperation = "exchange_notes";

/** Undoes and redoes the writing of notes. Not exposed on any surface. */
export const exchangeNotes = operation({
  name: exchangeNotesOperation,
  title: "Restore notes",
  summary: "Restore earlier versions of notes, unless they were edited since.",
  input: z.object(fileExchangeShape),
  output: z.object({ files: z.array(z.string()) }),
  effect: "writes",
  expose: {},
  example: { root: "notes", files: [{ file: "new.md", before: null, after: "# New\n" }] },
  run(input, state, call) {
    const names = input.files.map(({ file }) => file);
    const summary = `Restored ${names.join(", ")}`;
    return exchangeFiles(state, { ...input, operation: exchangeNotesOperation, summary }, call);
  },
});
