import { dirname } from "node:path";
import type { Boundary } from "./boundary.ts";
import type { Change } from "./change.ts";
import { ifThere } from "./failure.ts";
import { applyEdits, besideName, type FileEdit } from "./file-edits.ts";
import type { House } from "./house.ts";
import type { Intent } from "./intents.ts";
import { inDirectory } from "./safe-directory.ts";

type Means = Pick<House, "boundary" | "changes">;

/**
 * Writes files and tells of it in the list of changes: both or neither, also where the process is
 * stopped in between, because the next one takes back what nobody was told of.
 */
export function applyTold(
  { boundary, changes }: Means,
  within: string,
  edits: readonly FileEdit[],
  tell: () => Change,
): Change {
  const intent: Intent = { within, pid: process.pid, edits };
  let isApplied = false;
  settleInterrupted({ boundary, changes });
  try {
    return changes.intents.fulfil(intent, () => {
      applyEdits(boundary, within, edits);
      isApplied = true;
      return tell();
    });
  } catch (error) {
    if (isApplied) takeBack(boundary, intent);
    throw error;
  }
}

/** Takes back what processes have left that were stopped while they wrote files. */
export function settleInterrupted({ boundary, changes }: Means): void {
  changes.intents.settle((intent) => takeBack(boundary, intent));
}

/** Only what is exactly as it was to be: what somebody has changed since is theirs. */
function takeBack(boundary: Boundary, { within, pid, edits }: Intent): void {
  // A folder that is gone took its files along; one that cannot be reached is left for later.
  const reached = edits.filter(({ path }) => ifThere(() => boundary.admit(dirname(path))));
  const made = reached.filter((edit) => textOf(boundary, within, edit) === edit.after);
  const back = made.map(({ path, before, after }) => ({ path, before: after, after: before }));
  applyEdits(boundary, within, back);
  for (const { path } of reached) {
    inDirectory(boundary.openDirectory(dirname(path)), (directory) =>
      directory.remove(besideName(path, pid)),
    );
  }
}

const textOf = (boundary: Boundary, within: string, { path }: FileEdit): string | undefined =>
  ifThere(() => boundary.readFile(path, within).toString("utf8"));
