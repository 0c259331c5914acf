import { dirname } from "node:path";
import type { Change } from "../approval/change.ts";
import { undefinedIfNotFound } from "../failure.ts";
import type { Boundary } from "../paths/boundary.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { EditIntent } from "./edit-intents.ts";
import { applyFileEdits, type FileEdit, stagingName } from "./file-edits.ts";
import { withDirectory } from "./safe-directory.ts";

type JournaledEditOptions = Pick<Runtime, "boundary" | "changes">;

/**
 * Writes files and records the change in the change log: both or neither. If the process is killed
 * in between, the next one rolls back the unrecorded edits.
 */
export function applyJournaled(
  { boundary, changes }: JournaledEditOptions,
  within: string,
  edits: readonly FileEdit[],
  recordChange: () => Change,
): Change {
  const intent: EditIntent = { within, pid: process.pid, edits };
  let isApplied = false;
  recoverInterrupted({ boundary, changes });
  try {
    return changes.intents.runWithIntent(intent, () => {
      applyFileEdits(boundary, within, edits);
      isApplied = true;
      return recordChange();
    });
  } catch (error) {
    if (isApplied) rollBack(boundary, intent);
    throw error;
  }
}

/** Rolls back the edits of processes that were killed while they wrote files. */
export function recoverInterrupted({ boundary, changes }: JournaledEditOptions): void {
  changes.intents.recover((intent) => rollBack(boundary, intent));
}

/**
 * Reverts only files that have exactly the intended text; later changes by others are preserved.
 */
function rollBack(boundary: Boundary, { within, pid, edits }: EditIntent): void {
  // A missing folder has no files to restore; an inaccessible one fails and is retried later.
  const reachable = edits.filter(({ path }) =>
    undefinedIfNotFound(() => boundary.assertAllowed(dirname(path))),
  );
  const applied = reachable.filter((edit) => currentText(boundary, within, edit) === edit.after);
  const reverted = applied.map(({ path, before, after }) => ({
    path,
    before: after,
    after: before,
  }));
  applyFileEdits(boundary, within, reverted);
  for (const { path } of reachable) {
    withDirectory(boundary.openDirectory(dirname(path)), (directory) =>
      directory.remove(stagingName(path, pid)),
    );
  }
}

const currentText = (boundary: Boundary, within: string, { path }: FileEdit): string | undefined =>
  undefinedIfNotFound(() => boundary.readFile(path, within).toString("utf8"));
