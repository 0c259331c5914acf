import type { Change, Inverse } from "../../kernel/change.ts";
import type { ChangeLog } from "../../kernel/change-log.ts";
import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { openFile } from "./classic-file.ts";
import type { Place } from "./place.ts";
import { TouchesPrivate } from "./private-rows.ts";
import { lastChange } from "./qda/storage-project.ts";
import { Rehearsal } from "./rehearsal.ts";

/** How a change of a project is undone: by its place in the project's own log. */
export const undoOperation = "undo_project_change";

/** What takes back a change of a project's own log, in the list of activity. */
export const inverseOf = ({ path }: Pick<Place, "path">, change: number): Inverse => ({
  operation: undoOperation,
  input: { project: path, change_id: change },
});

/** What is written down where that takes an undo back. */
export const redoOperation = "redo_project_change";

/**
 * What the list of activity tells of the project beyond its own log. Whoever was stopped between the
 * end of the one transaction and the end of the other has told of a change that was never made. That
 * is one change at most: where more is told, the file is an older one or another, and all was done.
 */
export function unmadeIn(db: Database, place: Place, activity: ChangeLog): Change | undefined {
  const next = lastChange(db) + 1;
  const isOlder = activity.findUndoneBy(inverseOf(place, next + 1)) !== undefined;
  return isOlder ? undefined : activity.findUndoneBy(inverseOf(place, next));
}

/** Only while nobody else writes to the project, who might just be about to make the change. */
export function retractUnmade(db: Database, place: Place, activity: ChangeLog): void {
  const told = unmadeIn(db, place, activity);
  if (told) activity.retract(told.id);
}

/** Where it cannot be done now, because a file is busy or cannot be written, the next write does it. */
export function settleUnmade(place: Place, activity: ChangeLog): void {
  let db: Database | undefined;
  try {
    const opened = openFile(place.database);
    db = opened;
    opened.transaction(() => retractUnmade(opened, place, activity));
  } catch (error) {
    if (error instanceof Failure) throw error;
  } finally {
    db?.close();
  }
}

/**
 * One transaction of the project; where its end fails, as on a full disk, nothing is told of it.
 * Where it could not begin, nothing was.
 */
export function settling<Result>(
  place: Place,
  activity: ChangeLog,
  db: Database,
  work: () => Result,
): Result {
  let isBegun = false;
  try {
    return db.transaction(() => {
      isBegun = true;
      return work();
    });
  } catch (error) {
    const isRefused =
      error instanceof Failure || error instanceof Rehearsal || error instanceof TouchesPrivate;
    if (isBegun && !isRefused) settleUnmade(place, activity);
    throw error;
  }
}
