import type { Boundary } from "../../kernel/boundary.ts";
import type { Call } from "../../kernel/call.ts";
import {
  type Change,
  type ChangeLog,
  type Inverse,
  openChangeLog,
} from "../../kernel/change-log.ts";
import { type Database, isBusy, openDatabase } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { coderOf, dateNow, isPerson, unnamedCoder } from "./coder.ts";
import {
  backupOf,
  makePlace,
  type Place,
  placeOf,
  refuseWhenGone,
  refuseWhileInUse,
  removePlace,
} from "./place.ts";
import { markOf, refuseStale } from "./preview.ts";
import { hidePrivate, whoAsks } from "./qda/storage-privacy.ts";
import {
  columnsOf,
  copyInto,
  createClassic,
  givenName,
  lastChange,
  listAgent,
  listCoder,
  projectRow,
  takeOwnSteps,
} from "./qda/storage-project.ts";
import { type Pen, type RowChange, takePen } from "./qda/storage-rows.ts";
import { neededTables } from "./qda/tables.ts";

/** An open project. It is read at once; the file is opened for writing when something is written. */
export interface Project extends Place {
  readonly db: Database;
  /** Does the work as an agent sees the project: without private sources and what is theirs. */
  asAgent<Result>(work: () => Result): Result;
  /**
   * Does all of the work or none of it, and remembers how to take it back: in the project itself,
   * and in the list of activity, whose number of the change is given.
   */
  write<Result extends object>(
    deed: Deed,
    work: (hand: Hand) => Result,
  ): Result & { change_id: number };
  close(): void;
}

/** What is done, by whom; the summary may need what the work has found. */
interface Deed {
  call: Call;
  operation: string;
  summary: string | (() => string);
  /** The change of the project's own log that this one takes back. */
  undoes?: number;
  /** In whose name, where it is not the caller's: an agent's proposal that a person accepts. */
  coder?: string;
  /** What a preview of it shows. */
  preview?: Preview;
  /** Of a preview: it is done as that has shown it, or not at all. */
  token?: string;
  /** Does all of it, takes it back, and ends in a `Rehearsal` that tells what would be done. */
  isRehearsed?: boolean;
}

/** What would happen, in a sentence, and whatever helps to judge it. */
interface Preview {
  message: string;
  [fact: string]: unknown;
}

/** Thrown where a deed was only tried: it can be done, and this is what it would be. */
export class Rehearsal extends Error {
  readonly summary: string;
  readonly preview: Preview | undefined;
  /** Of every row that would change, as it is and as it would be. */
  readonly token: string | undefined;

  constructor(summary: string, seen: { preview?: Preview | undefined; token?: string } = {}) {
    super("This was only tried.");
    this.summary = summary;
    this.preview = seen.preview;
    this.token = seen.token;
  }
}

/** What the work writes with. */
export interface Hand {
  pen: Pen;
  db: Database;
  /** In whose name. */
  owner: string;
  date: string;
  /** The project's own log, for whoever takes a change back. */
  log: ChangeLog;
}

/** How a change of a project is undone: by its place in the project's own log. */
export const undoOperation = "undo_project_change";

/** What takes back a change of a project's own log, in the list of activity. */
export const inverseOf = ({ path }: Pick<Place, "path">, change: number): Inverse => ({
  operation: undoOperation,
  input: { project: path, change_id: change },
});

/** What is written down where that takes an undo back. */
export const redoOperation = "redo_project_change";

export function openProject(boundary: Boundary, given: string, activity: ChangeLog): Project {
  const place = placeOf(boundary, given);
  return project(boundary, place, activity, { isNew: false });
}

export function createProject(
  boundary: Boundary,
  { path, name }: { path: string; name?: string | undefined },
  activity: ChangeLog,
): Project {
  const place = makePlace(boundary, path);
  try {
    const db = openDatabase(place.database, { journal: "rollback" });
    createClassic(db, { date: dateNow(), coder: unnamedCoder, name });
    db.close();
  } catch (error) {
    removePlace(place);
    throw error;
  }
  return project(boundary, place, activity, { isNew: true });
}

function project(
  boundary: Boundary,
  place: Place,
  activity: ChangeLog,
  { isNew }: { isNew: boolean },
): Project {
  let asking: "agent" | "person" = "person";
  const facing = (opened: Database): Database => {
    opened.define(whoAsks, () => asking);
    hidePrivate(opened);
    return opened;
  };
  let db = facing(openClassic(place.database));
  let isWritable = false;
  let isSafe = isNew;

  function openForWriting(): void {
    refuseWhenGone(place);
    refuseWhileInUse(place);
    if (!isWritable) {
      const writable = openDatabase(place.database, { journal: "rollback", busyMs: 5_000 });
      db.close();
      db = facing(writable);
      isWritable = true;
    }
    if (!isSafe) copyInto(db, backupOf(boundary, place, new Date()));
    isSafe = true;
  }

  if (unmadeIn(db, place, activity)) settleUnmade(place, activity);
  const { path, database } = place;
  const name = givenName(db) ?? place.name;
  return {
    path,
    database,
    name,
    get db() {
      return db;
    },
    asAgent(work) {
      const before = asking;
      asking = "agent";
      try {
        return work();
      } finally {
        asking = before;
      }
    },
    write({ call, operation, summary, undoes, coder, preview, token, isRehearsed }, work) {
      return inFile(() => {
        openForWriting();
        return settling(place, activity, db, () => {
          if (!takeOwnSteps(db)) throw newerProject();
          retractUnmade(db, place, activity);
          hidePrivate(db);
          const owner = coder ?? coderOf(call, projectRow(db)?.codername);
          const pen = takePen(db);
          const log = openChangeLog(db, "lectern_");
          const result = work({ pen, db, owner, date: dateNow(), log });
          listCoder(db, owner);
          if (coder !== undefined || !isPerson(call)) listAgent(db, owner);
          const told = typeof summary === "string" ? summary : summary();
          const tokenNow = () => markOf([place.path, pen.changes]);
          if (token !== undefined) refuseStale(tokenNow(), token);
          if (isRehearsed) throw new Rehearsal(told, { preview, token: tokenNow() });
          const own = record(log, { call, operation, summary: told }, pen.changes);
          if (undoes !== undefined) log.markUndone(undoes, own.id);
          // The other log is another file, so it comes last: only the end of this one can fail now.
          const { id } = activity.record({
            call,
            operation,
            summary: `${told} (${name})`,
            undo: inverseOf(place, own.id),
          });
          return { ...result, change_id: id };
        });
      });
    },
    close: () => db.close(),
  };
}

function record(
  log: ChangeLog,
  entry: { call: Call; operation: string; summary: string },
  rows: readonly RowChange[],
): Change {
  return log.record({ ...entry, undo: { operation: undoOperation, input: { rows } } });
}

/**
 * What the list of activity tells of the project beyond its own log. Whoever was stopped between the
 * end of the one transaction and the end of the other has told of a change that was never made. That
 * is one change at most: where more is told, the file is an older one or another, and all was done.
 */
function unmadeIn(db: Database, place: Place, activity: ChangeLog): Change | undefined {
  const next = lastChange(db) + 1;
  const isOlder = activity.findUndoneBy(inverseOf(place, next + 1)) !== undefined;
  return isOlder ? undefined : activity.findUndoneBy(inverseOf(place, next));
}

/** Only while nobody else writes to the project, who might just be about to make the change. */
function retractUnmade(db: Database, place: Place, activity: ChangeLog): void {
  const told = unmadeIn(db, place, activity);
  if (told) activity.retract(told.id);
}

/** Where it cannot be done now, because a file is busy or cannot be written, the next write does it. */
function settleUnmade(place: Place, activity: ChangeLog): void {
  let db: Database | undefined;
  try {
    const opened = openDatabase(place.database, { journal: "rollback", busyMs: 5_000 });
    db = opened;
    opened.transaction(() => retractUnmade(opened, place, activity));
  } catch (error) {
    if (error instanceof Failure) throw error;
  } finally {
    db?.close();
  }
}

/** One transaction of the project; where its end fails, as on a full disk, nothing is told of it. */
function settling<Result>(
  place: Place,
  activity: ChangeLog,
  db: Database,
  work: () => Result,
): Result {
  try {
    return db.transaction(work);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Rehearsal)) settleUnmade(place, activity);
    throw error;
  }
}

/** A file that QualCoder wrote, of whatever version: what it holds is asked, not its number. */
function openClassic(path: string): Database {
  try {
    return openedToRead(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (isReadOnly(error)) return settled(path);
    throw notOpened("The file cannot be read as a database.", error);
  }
}

function openedToRead(path: string): Database {
  const db = openDatabase(path, { readOnly: true });
  try {
    const lacks = neededTables.find((table) => columnsOf(db, table).length === 0);
    if (lacks === undefined) return db;
    throw notOpened(`It has no table '${lacks}', so it is no QualCoder project.`);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A program that was stopped while it wrote left half a change behind, which SQLite takes back. */
function settled(path: string): Database {
  try {
    const db = openDatabase(path, { journal: "rollback" });
    columnsOf(db, "project");
    db.close();
    return openedToRead(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw notOpened("A write was cut off in this project, and it cannot be mended here.", error);
  }
}

function inFile<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isBusy(error)) {
      throw new Failure("conflict", "PROJECT_IN_USE", "Another program writes to this project.", {
        hints: ["Try again when it has finished."],
        cause: error,
      });
    }
    if (isReadOnly(error)) {
      throw new Failure("forbidden", "PROJECT_READ_ONLY", "This project cannot be written.", {
        hints: ["Check the permissions of its folder and of its data.qda."],
        cause: error,
      });
    }
    throw error;
  }
}

const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && /readonly database|unable to open|EACCES|EROFS/.test(error.message);

const notOpened = (message: string, cause?: unknown): Failure =>
  new Failure("invalid", "PROJECT_NOT_OPENED/DB_OPEN_FAILED", message, { cause });

const newerProject = (): Failure =>
  new Failure("conflict", "PROJECT_NEWER", "A newer Lectern has written to this project.", {
    hints: ["Update Lectern to write to it; reading is possible."],
  });
