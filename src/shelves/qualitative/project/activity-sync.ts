import type { Change, InverseOperation } from "../../../kernel/approval/change.ts";
import type { ChangeLog } from "../../../kernel/approval/change-log.ts";
import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import type { SyncStore } from "../../../kernel/storage/store.ts";
import { lastChangeId } from "../qda/storage-project.ts";
import type { ProjectLocation } from "./project-location.ts";
import { openProjectFile } from "./qualcoder-file.ts";

/**
 * The list of activity and the store that contains it. A write to a project records its entry before
 * the project commits, without returning to the event loop.
 */
export interface Activity {
  readonly log: ChangeLog;
  readonly store: SyncStore;
}

/** Undoes a change of a project by its id in the project's own log. */
export const undoProjectOperation = "undo_project_change";

/** The inverse operation that the list of activity stores for a change of a project. */
export const projectInverseOf = (
  { path }: Pick<ProjectLocation, "path">,
  change: number,
): InverseOperation => ({
  operation: undoProjectOperation,
  input: { project: path, change_id: change },
});

/** The operation recorded for the undo of an undo. */
export const redoProjectOperation = "redo_project_change";

/**
 * Finds an activity entry without a change in the project. A write commits the activity entry and
 * the project in two files; a crash between the two commits leaves an entry for a change that was
 * never made. That is at most one entry: if there are more, the project file is an older copy or
 * another file, and the changes were made.
 */
export function findOrphanedEntry(
  db: Database,
  location: ProjectLocation,
  { log, store }: Activity,
): Change | undefined {
  const next = lastChangeId(db) + 1;
  const find = (id: number) => store.run(log.findUndoneBy(projectInverseOf(location, id)));
  const isOlder = find(next + 1) !== undefined;
  return isOlder ? undefined : find(next);
}

/**
 * Must run inside a write transaction of the project: another process may be about to commit the
 * change.
 */
export function removeOrphaned(db: Database, location: ProjectLocation, activity: Activity): void {
  const orphaned = findOrphanedEntry(db, location, activity);
  if (orphaned) activity.store.run(activity.log.retract(orphaned.id));
}

/** If the file is busy or read-only, the next write removes the entry. */
export function removeOrphanedAlone(location: ProjectLocation, activity: Activity): void {
  let db: Database | undefined;
  try {
    const opened = openProjectFile(location.database);
    db = opened;
    opened.transaction(() => removeOrphaned(opened, location, activity));
  } catch (error) {
    if (error instanceof Failure) throw error;
  } finally {
    db?.close();
  }
}

/**
 * Runs a transaction of the project, whose work records an entry in the list of activity last. If
 * the commit fails, for example on a full disk, the entry is removed.
 */
export function transactWithActivity<Result>(
  location: ProjectLocation,
  activity: Activity,
  db: Database,
  work: () => Result,
  commitIf: (result: Result) => boolean,
): Result {
  let isBegun = false;
  try {
    return db.transaction(
      () => {
        isBegun = true;
        return work();
      },
      { commitIf },
    );
  } catch (error) {
    if (isBegun && !(error instanceof Failure)) removeOrphanedAlone(location, activity);
    throw error;
  }
}
