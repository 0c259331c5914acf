import { readFileSync, rmSync } from "node:fs";
import type { Boundary } from "./boundary.ts";
import type { Change } from "./change-log.ts";
import { applyEdits, besideOf, type FileEdit } from "./file-edits.ts";
import type { House } from "./house.ts";
import type { Intent } from "./intents.ts";

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
  const made = edits.filter(({ path, after }) => textAt(path) === after);
  const back = made.map(({ path, before, after }) => ({ path, before: after, after: before }));
  applyEdits(boundary, within, back);
  for (const { path } of edits) rmSync(besideOf(path, pid), { force: true });
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
