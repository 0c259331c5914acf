import * as z from "zod";
import { exchangeFiles, fileExchangeShape } from "../../../kernel/files/file-exchange.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { exchangeFilesOperation } from "../files/file-writer.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

/** Undoes and redoes all writes of this shelf. Not exposed on any surface. */
export const exchangeRepositoryFiles = operation({
  name: exchangeFilesOperation,
  title: "Restore files of a repository",
  summary: "Restore earlier versions of files, unless they were edited since.",
  input: z.object({
    ...fileExchangeShape,
    summary: z.string().optional().describe("Summary, if it is not an undo"),
  }),
  output: z.object({ files: z.array(z.string()) }),
  effect: "writes",
  expose: {},
  example: { root: ".", files: [{ file: "docs/new-page.md", before: null, after: "# New\n" }] },
  run(input, state, call) {
    const names = input.files.map(({ file }) => file);
    const restored = names.length <= 3 ? names.join(", ") : pluralise(names.length, "file");
    const summary = input.summary ?? `Restored ${restored}`;
    return exchangeFiles(state, { ...input, operation: exchangeFilesOperation, summary }, call);
  },
});
