import type { Boundary } from "../../kernel/boundary.ts";
import { type Call, isPerson } from "../../kernel/call.ts";
import type { Change } from "../../kernel/change.ts";
import { type ChangeLog, openChangeLog } from "../../kernel/change-log.ts";
import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { refuseStrangeFile } from "../../kernel/foreign/foreign-file.ts";
import { makeStaged } from "../../kernel/staged-file.ts";
import { createFile, inFile, openClassic, openFile, toldAsProject } from "./classic-file.ts";
import { agentAmong, coderOf, dateNow, unnamedCoder } from "./coder.ts";
import { affectedWork, personsRows } from "./ownership.ts";
import {
  identityOf,
  makeBackup,
  makePlace,
  type Place,
  placeOf,
  refuseWhenGone,
  refuseWhileInUse,
} from "./place.ts";
import { markOf, refuseStale } from "./preview.ts";
import { privateMediaOf } from "./private-media.ts";
import { privateChanges, TouchesPrivate } from "./private-rows.ts";
import { codersIn, listAgent, listCoder } from "./qda/storage-coders.ts";
import { changedRows, forgetAgentRows, rememberAgentRows } from "./qda/storage-ownership.ts";
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
  /** Opens the database anew where another file has taken its place, such as a restored copy. */
  refresh(): void;
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
  /** Ends in a `Rehearsal` as well, where a person's work would be removed or overwritten. */
  isProtected?: boolean;
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

/** What projects are opened with. */
export interface Means {
  boundary: Boundary;
  activity: ChangeLog;
  /** Is told which files belong to private sources of a project, at opening and at each change. */
  keepPrivate(project: string, files: readonly string[]): void;
}

export function openProject(means: Means, given: string): Project {
  return project(means, placeOf(means.boundary, given), { isNew: false });
}

export function createProject(
  means: Means,
  { path, name }: { path: string; name?: string | undefined },
): Project {
  const place = makePlace(means.boundary, path);
  try {
    makeStaged(place.folder, "data.qda", (staged) => {
      const db = createFile(staged);
      try {
        createClassic(db, { date: dateNow(), coder: unnamedCoder, name });
      } finally {
        db.close();
      }
    });
    place.folder.verify();
  } catch (error) {
    place.remove();
    throw error;
  } finally {
    place.close();
  }
  return project(means, place, { isNew: true });
}

function project(
  { boundary, activity, keepPrivate }: Means,
  place: Place,
  { isNew }: { isNew: boolean },
): Project {
  let asking: "agent" | "person" = "person";
  const facing = (opened: Database): Database => {
    const told = toldAsProject(opened);
    try {
      told.define(whoAsks, () => asking);
    } catch (error) {
      told.close();
      throw error;
    }
    return told;
  };
  let opened = identityOf(place.database);
  const isInside = boundary.isFenced ? boundary.holds : undefined;
  const rules = { oneNameOnly: boundary.isFenced, isInside };
  let db = facing(openClassic(place.database, rules));
  let isWritable = false;
  let isSafe = isNew;

  function openForWriting(): void {
    refuseWhenGone(place);
    refuseWhileInUse(place);
    refuseStrangeFile(place.database, rules);
    if (!isWritable) {
      const read = db;
      db = facing(openFile(place.database, rules));
      isWritable = true;
      read.close();
    }
    if (!isSafe) makeBackup(boundary, place, new Date(), (copy) => copyInto(db, copy));
    isSafe = true;
  }

  const notePrivate = (): void => keepPrivate(place.path, privateMediaOf(place, db));

  notePrivate();
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
    refresh() {
      const found = identityOf(place.database);
      if (found === opened || found === undefined) return;
      const replaced = db;
      db = facing(openClassic(place.database, rules));
      opened = found;
      isWritable = false;
      isSafe = false;
      replaced.close();
      notePrivate();
    },
    asAgent(work) {
      const before = asking;
      if (before !== "agent") hidePrivate(db);
      asking = "agent";
      try {
        return work();
      } finally {
        asking = before;
      }
    },
    write(deed, work) {
      const { call, operation, summary, undoes, coder, preview, token, subject } = deed;
      const isAgents = coder !== undefined || !isPerson(call);
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
          if (isAgents) listAgent(db, owner);
          const told = typeof summary === "string" ? summary : summary();
          const tokenNow = () => markOf([place.path, pen.changes]);
          if (token !== undefined) refuseStale(tokenNow(), token);
          const subjectNow = () => subjectOf(db, pen.changes, date);
          if (subject) refuseOther(subjectNow(), subject);
          const rows = changedRows(pen.changes);
          const hidden = privateChanges(db, pen.changes);
          if (deed.isRehearsed || (deed.isProtected && personsRows(db, rows).length > 0)) {
            const shown = shownSubject(db, pen.changes);
            const affected = affectedWork(db, rows);
            const about = { preview, token: tokenNow(), subject: subjectNow(), shown, affected };
            const seen = { ...about, isPrivate: hidden.length > 0 };
            throw new Rehearsal(told, seen);
          }
          // New rows take nothing away: an attribute is given to every source.
          const isTaking = hidden.some(({ before }) => before !== null);
          if (asking === "agent" && isTaking) throw new TouchesPrivate();
          // Before the end of the transaction: whoever sees the mark misses the files already.
          if (pen.changes.some(({ table }) => marksPrivacy.has(table))) notePrivate();
          if (isAgents) rememberAgentRows(db, rows, owner);
          else forgetAgentRows(db, rows);
          const own = record(log, { call, operation, summary: told }, pen.changes);
          if (undoes !== undefined) log.markUndone(undoes, own.id);
          // The other log is another file, so it comes last: only the end of this one can fail now.
          const { id } = activity.record({
            call,
            operation,
            summary: `${told} (${name})`,
            undo: inverseOf(place, own.id),
            project: { root: path, name },
            isPrivate: hidden.length > 0,
          });
          return { ...result, change_id: id };
        });
      });
    },
    close: () => db.close(),
  };
}

/** The tables that say which sources are private, and where their files lie. */
const marksPrivacy: ReadonlySet<string> = new Set(["source", "lectern_sources"]);

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
