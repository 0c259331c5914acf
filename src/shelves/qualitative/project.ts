import type { Boundary } from "../../kernel/boundary.ts";
import { type Call, isPerson } from "../../kernel/call.ts";
import { type Change, type ChangeLog, openChangeLog } from "../../kernel/change-log.ts";
import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { inFile, openClassic, openFile, toldAsProject } from "./classic-file.ts";
import { agentAmong, coderOf, dateNow, unnamedCoder } from "./coder.ts";
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
import { codersIn, listAgent, listCoder } from "./qda/storage-coders.ts";
import { hidePrivate, whoAsks } from "./qda/storage-privacy.ts";
import { copyInto, createClassic, givenName, takeOwnSteps } from "./qda/storage-project.ts";
import { type Pen, type RowChange, takePen } from "./qda/storage-rows.ts";
import { type Preview, Rehearsal } from "./rehearsal.ts";
import { refuseOther, type Subject, subjectOf } from "./subject.ts";
import { shownSubject } from "./subject-shown.ts";
import {
  inverseOf,
  retractUnmade,
  settleUnmade,
  settling,
  undoOperation,
  unmadeIn,
} from "./told-changes.ts";

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
  /** Of a proposal: it is about the same as then, or it is not done. */
  subject?: Subject;
  /** Does all of it, takes it back, and ends in a `Rehearsal` that tells what would be done. */
  isRehearsed?: boolean;
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
    const db = openFile(place.database);
    try {
      createClassic(db, { date: dateNow(), coder: unnamedCoder, name });
    } finally {
      db.close();
    }
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
    const told = toldAsProject(opened);
    try {
      told.define(whoAsks, () => asking);
      hidePrivate(told);
    } catch (error) {
      told.close();
      throw error;
    }
    return told;
  };
  let db = facing(openClassic(place.database));
  let isWritable = false;
  let isSafe = isNew;

  function openForWriting(): void {
    refuseWhenGone(place);
    refuseWhileInUse(place);
    if (!isWritable) {
      const read = db;
      db = facing(openFile(place.database));
      isWritable = true;
      read.close();
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
    write({ call, operation, summary, undoes, coder, preview, token, subject, isRehearsed }, work) {
      return inFile(() => {
        openForWriting();
        return settling(place, activity, db, () => {
          if (!takeOwnSteps(db)) throw newerProject();
          retractUnmade(db, place, activity);
          hidePrivate(db);
          const known = codersIn(db);
          const owner = coder === undefined ? coderOf(call, known) : agentAmong(known, coder);
          const pen = takePen(db);
          const log = openChangeLog(db, "lectern_");
          const date = dateNow();
          const result = work({ pen, db, owner, date, log });
          listCoder(db, owner);
          if (coder !== undefined || !isPerson(call)) listAgent(db, owner);
          const told = typeof summary === "string" ? summary : summary();
          const tokenNow = () => markOf([place.path, pen.changes]);
          if (token !== undefined) refuseStale(tokenNow(), token);
          const subjectNow = () => subjectOf(db, pen.changes, date);
          if (subject) refuseOther(subjectNow(), subject);
          if (isRehearsed) {
            const shown = shownSubject(db, pen.changes);
            const seen = { preview, token: tokenNow(), subject: subjectNow(), shown };
            throw new Rehearsal(told, seen);
          }
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

const newerProject = (): Failure =>
  new Failure("conflict", "PROJECT_NEWER", "A newer Lectern has written to this project.", {
    hints: ["Update Lectern to write to it; reading is possible."],
  });
