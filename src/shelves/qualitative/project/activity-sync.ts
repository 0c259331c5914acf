import type { Change, InverseOperation } from "../../../kernel/approval/change.ts";
import type { ChangeEntry, ChangeLog } from "../../../kernel/approval/change-log.ts";
import { Failure } from "../../../kernel/failure.ts";
import type { Notice } from "../../../kernel/notices/notices.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import type { Store, SyncStore } from "../../../kernel/storage/store.ts";
import type { DryRunFindings } from "../governance/dry-run.ts";
import { lastChangeId } from "../qda/storage-project.ts";
import { assertHeldUntil, type ProjectLease } from "./project-lease.ts";
import type { ProjectLocation } from "./project-location.ts";
import { openProjectFile, projectInUse } from "./qualcoder-file.ts";

/**
 * The list of activity and the store that contains it. A write to a project records its entry before
 * the project commits.
 */
export interface Activity {
  readonly log: ChangeLog;
  readonly store: Store;
}

/** In SQLite, the entry is recorded inside the transaction of the project. */
export interface SyncActivity extends Activity {
  readonly store: SyncStore;
}

export const isSync = (activity: Activity): activity is SyncActivity =>
  activity.store.dialect === "sqlite";

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
export function* findOrphanedEntry(
  lastChange: number,
  location: ProjectLocation,
  log: ChangeLog,
): Steps<Change | undefined> {
  const find = (id: number) => log.findUndoneBy(projectInverseOf(location, id));
  const isOlder = (yield* find(lastChange + 2)) !== undefined;
  return isOlder ? undefined : yield* find(lastChange + 1);
}

function* retractOrphaned(
  lastChange: number,
  location: ProjectLocation,
  log: ChangeLog,
): Steps<void> {
  const orphaned = yield* findOrphanedEntry(lastChange, location, log);
  if (orphaned) yield* log.retract(orphaned.id);
}

/**
 * Must run inside a write transaction of the project: another process may be about to commit the
 * change.
 */
export function removeOrphaned(
  db: Database,
  location: ProjectLocation,
  { log, store }: SyncActivity,
): void {
  store.run(retractOrphaned(lastChangeId(db), location, log));
}

/** If the file is busy or read-only, the next write removes the entry. */
export function removeOrphanedAlone(location: ProjectLocation, activity: SyncActivity): void {
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
  activity: SyncActivity,
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

/** A write that was done in a transaction of the project, or what it would have changed. */
export type PerformedWrite<Result> =
  | {
      isDone: true;
      result: Result;
      /** For the list of activity. */
      entry: ChangeEntry;
      /** The id of the change in the project's own log. */
      change: number;
      /** A digest of the changed rows. */
      digest(): string;
    }
  | { isDone: false; findings: DryRunFindings };

/** Performs a write. It is committed if `check` is given and does not throw. */
export type RunWrite<Result> = (
  check?: (performed: PerformedWrite<Result>) => void,
) => PerformedWrite<Result>;

/**
 * Writes to a project whose entry is recorded in a store that must be awaited, while no transaction
 * of the project may wait. So the write is performed and rolled back, its entry is recorded, and the
 * write is performed again. If the process ends in between, the entry is removed when the project is
 * opened or written again. Returns the id of the entry.
 */
export async function transactUnderLease<Result>(
  location: ProjectLocation,
  { log, store }: Activity,
  lease: ProjectLease,
  run: RunWrite<Result>,
): Promise<{ performed: PerformedWrite<Result>; id: number }> {
  await lease.ensureHeld();
  const tried = run();
  if (!tried.isDone) return { performed: tried, id: 0 };
  const { entry, change } = tried;
  const notices: Notice[] = [];
  const call = { ...entry.call, announce: (notice: Notice) => void notices.push(notice) };
  const recording = transaction(function* () {
    const heldUntil = yield* lease.renew();
    yield* retractOrphaned(change - 1, location, log);
    const { id } = yield* log.record({ ...entry, call });
    return { id, heldUntil };
  });
  const { id, heldUntil } = await store.run(recording);
  try {
    const performed = run((again) => {
      assertSameWrite(again, tried);
      assertHeldUntil(heldUntil);
    });
    for (const notice of notices) entry.call.announce(notice);
    return { performed, id };
  } catch (error) {
    await retractIfPossible({ log, store }, id);
    throw error;
  }
}

/** Another program, such as QualCoder, may have written to the project in between. */
function assertSameWrite(again: PerformedWrite<unknown>, tried: PerformedWrite<unknown>): void {
  if (
    again.isDone &&
    tried.isDone &&
    again.change === tried.change &&
    again.entry.summary === tried.entry.summary &&
    again.entry.isPrivate === tried.entry.isPrivate &&
    again.digest() === tried.digest()
  )
    return;
  throw projectInUse();
}

/** If the store fails, the next write removes the entry. */
async function retractIfPossible({ log, store }: Activity, id: number): Promise<void> {
  try {
    await store.run(log.retract(id));
  } catch {}
}

/** Called when a project has been opened under its lease. */
export async function removeOrphanedUnderLease(
  db: Database,
  location: ProjectLocation,
  { log, store }: Activity,
): Promise<void> {
  const orphaned = await store.run(findOrphanedEntry(lastChangeId(db), location, log));
  if (orphaned) await store.run(log.retract(orphaned.id));
}
