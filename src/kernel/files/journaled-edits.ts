import { dirname } from "node:path";
import type { Change } from "../approval/change.ts";
import { undefinedIfNotFound } from "../failure.ts";
import type { Boundary } from "../paths/boundary.ts";
import type { Steps } from "../storage/steps.ts";
import { type EditIntent, recoverIntents, runWithIntent } from "./edit-intents.ts";
import { applyFileEdits, type FileEdit, stagingName } from "./file-edits.ts";
import { withDirectory } from "./safe-directory.ts";

/**
 * Writes files and records the change in the change log: both or neither. If the process is killed
 * in between, the next one rolls back the unrecorded edits.
 */
export function* applyJournaled(
  boundary: Boundary,
  within: string,
  edits: readonly FileEdit[],
  recordChange: () => Steps<Change>,
): Steps<Change> {
  const intent: EditIntent = { within, pid: process.pid, edits };
  let isApplied = false;
  yield* recoverInterrupted(boundary);
  return yield* runWithIntent(
    intent,
    function* () {
      applyFileEdits(boundary, within, edits);
      isApplied = true;
      return yield* recordChange();
    },
    () => {
      if (isApplied) rollBack(boundary, intent);
    },
  );
}

/** Rolls back the edits of processes that were killed while they wrote files. */
export const recoverInterrupted = (boundary: Boundary): Steps<void> =>
  recoverIntents((intent) => rollBack(boundary, intent));

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
