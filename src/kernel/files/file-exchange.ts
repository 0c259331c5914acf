import * as z from "zod";
import type { InverseOperation } from "../approval/change.ts";
import type { Call } from "../call.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Steps } from "../storage/steps.ts";
import { applyFileChanges, type FileChange, removeEmptyFolders } from "./file-changes.ts";

/** The input of an operation that undoes and redoes file changes. */
export const fileExchangeShape = {
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
  folders: z.array(z.string()).default([]).describe("Removed if they are empty"),
};

export interface FileExchange {
  root: string;
  files: FileChange[];
  folders: string[];
}

/** Writes other versions of files, unless they were edited since. */
export function* exchangeFiles(
  runtime: Pick<Runtime, "boundary" | "changes">,
  exchange: FileExchange & { operation: string; summary: string },
  call: Call,
): Steps<{ files: string[] }> {
  const { files, folders, operation, summary } = exchange;
  const root = runtime.boundary.resolvePath(exchange.root);
  const undo = (reverted: FileChange[], created: string[]) =>
    inverseExchange(operation, { root, files: reverted, folders: created });
  yield* applyFileChanges(runtime, root, { fileChanges: files, summary, operation, undo }, call);
  removeEmptyFolders(runtime.boundary, root, folders);
  return { files: files.map(({ file }) => file) };
}

/** The entry of the change log that undoes an exchange. */
export const inverseExchange = (operation: string, input: FileExchange): InverseOperation => ({
  operation,
  input: { ...input },
});
