import type { Change } from "../../../kernel/approval/change.ts";
import { type ChangeLog, openChangeLog } from "../../../kernel/approval/change-log.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import { createThroughStaging } from "../../../kernel/files/staged-file.ts";
import { assertPlainFile } from "../../../kernel/foreign/file-checks.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { runSteps } from "../../../kernel/storage/sqlite-store.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { type DryRunFindings, summarizeSubject, type WritePreview } from "../governance/dry-run.ts";
import {
  changesToPrivateSources,
  describeAffectedWork,
  mayBeUsedPrivately,
  personOwnedChanges,
} from "../governance/ownership.ts";
import { assertNotStale, digestOf } from "../governance/preview-token.ts";
import {
  assertSameSubject,
  type ProposalSubject,
  proposalSubjectOf,
} from "../governance/proposal-subject.ts";
import { ensureAgentListed, ensureCoderListed, knownCodersOf } from "../qda/storage-coders.ts";
import { deleteAgentRows, netChangesOf, saveAgentRows } from "../qda/storage-ownership.ts";
import { callerFunctionName, ensurePrivacyViews } from "../qda/storage-privacy.ts";
import {
  copyDatabaseTo,
  createQualcoderTables,
  migrateOwnTables,
  storedProjectName,
} from "../qda/storage-project.ts";
import { openRowWriter, type RowChange, type RowWriter } from "../qda/storage-rows.ts";
import {
  type Activity,
  findOrphanedEntry,
  projectInverseOf,
  removeOrphaned,
  removeOrphanedAlone,
  transactWithActivity,
  undoProjectOperation,
} from "./activity-sync.ts";
import { coderNameOf, distinctAgentName, qualcoderDate, unnamedCoder } from "./coder.ts";
import { privateMediaFiles } from "./private-media.ts";
import {
  assertNotInUse,
  assertStillThere,
  backUpProject,
  createProjectFolder,
  fileIdentityOf,
  locateProject,
  type ProjectLocation,
} from "./project-location.ts";
import {
  createProjectFile,
  openProjectFile,
  openQualcoderFile,
  withDatabaseErrors,
  withFileErrors,
} from "./qualcoder-file.ts";

/** An open project. It is opened read-only; the first write reopens it for writing. */
export interface QdaProject extends ProjectLocation {
  readonly db: Database;
  /** Reopens the database if its file was replaced, for example by a restored copy. */
  refresh(): void;
  /** Runs the work with private sources, and everything about them, hidden. */
  asAgent<Result>(work: () => Result): Result;
  /**
   * Does all of the work or none of it, and records how to undo it: in the project itself, and in
   * the list of activity, whose change id is part of the result.
   */
  write<Result extends object>(
    request: WriteRequest,
    work: (context: WriteContext) => Result,
  ): Result & { change_id: number };
  /** Like `write`, but returns its findings and writes nothing if it would change other rows. */
  attempt: AttemptWrite;
  /** Does the work in a transaction that is rolled back, and returns what it would change. */
  dryRun<Result extends object>(
    request: WriteRequest,
    work: (context: WriteContext) => Result,
  ): DryRunFindings;
  close(): void;
}

export type AttemptWrite = <Result extends object>(
  request: WriteRequest,
  work: (context: WriteContext) => Result,
  mayChange: MayChange,
) => AttemptedWrite<Result & { change_id: number }>;

/**
 * What a write may change. `agent-rows` excludes every existing row that a person made or edited;
 * `nothing` makes it a dry run. With any of them, a write of an agent never changes or deletes rows
 * of private sources.
 */
export type MayChange = "everything" | "agent-rows" | "nothing";

export type AttemptedWrite<Result> =
  | { isDone: true; result: Result }
  | { isDone: false; findings: DryRunFindings };

/** What is done and by whom. A summary that depends on the work is a function, called after it. */
export interface WriteRequest {
  call: Call;
  operation: string;
  summary: string | (() => string);
  /** The id of the change in the project's own log that this write undoes. */
  undoes?: number;
  /** The owner of new rows if it is not the caller: the agent whose proposal a person accepts. */
  coder?: string;
  /** What a preview or a proposal shows. */
  preview?: WritePreview;
  /** The token of a preview: the write fails unless it changes exactly what the preview showed. */
  token?: string;
  /** The subject of a proposal: the write fails unless it is about the same rows. */
  subject?: ProposalSubject;
}

/** The argument of the work of a write. */
export interface WriteContext {
  writer: RowWriter;
  db: Database;
  /** The owner of new rows. */
  owner: string;
  date: string;
  /** The project's own log, from which an undo reads. */
  log: ChangeLog;
}

export interface ProjectOptions {
  boundary: Boundary;
  activity: Activity;
  /** Receives the files of the project's private sources, at opening and after each change. */
  onPrivateFiles(project: string, files: readonly string[]): void;
}

export function openQdaProject(options: ProjectOptions, path: string): QdaProject {
  return makeProject(options, locateProject(options.boundary, path), { isNew: false });
}

export function createQdaProject(
  options: ProjectOptions,
  { path, name }: { path: string; name?: string | undefined },
): QdaProject {
  const newProject = createProjectFolder(options.boundary, path);
  try {
    createThroughStaging(newProject.folder, "data.qda", (staged) => {
      const db = createProjectFile(staged);
      try {
        createQualcoderTables(db, { date: qualcoderDate(), coder: unnamedCoder, name });
      } finally {
        db.close();
      }
    });
    newProject.folder.verify();
  } catch (error) {
    newProject.remove();
    throw error;
  } finally {
    newProject.close();
  }
  return makeProject(options, newProject, { isNew: true });
}

function makeProject(
  { boundary, activity, onPrivateFiles }: ProjectOptions,
  location: ProjectLocation,
  { isNew }: { isNew: boolean },
): QdaProject {
  let caller: "agent" | "person" = "person";
  const prepareDatabase = (opened: Database): Database => {
    const wrapped = withDatabaseErrors(opened);
    try {
      wrapped.defineFunction(callerFunctionName, () => caller);
    } catch (error) {
      wrapped.close();
      throw error;
    }
    return wrapped;
  };
  let opened = fileIdentityOf(location.database);
  const isInside = boundary.isConfined ? boundary.allowsFolder : undefined;
  const rules = { rejectHardLinks: boundary.isConfined, isInside };
  let db = prepareDatabase(openQualcoderFile(location.database, rules));
  let isWritable = false;
  let hasBackup = isNew;

  function openForWriting(): void {
    assertStillThere(location);
    assertNotInUse(location);
    assertPlainFile(location.database, rules);
    if (!isWritable) {
      const read = db;
      db = prepareDatabase(openProjectFile(location.database, rules));
      isWritable = true;
      read.close();
    }
    if (!hasBackup)
      backUpProject(boundary, location, new Date(), (copy) => copyDatabaseTo(db, copy));
    hasBackup = true;
  }

  const reportPrivateFiles = (): void =>
    onPrivateFiles(location.path, privateMediaFiles(location, db));

  reportPrivateFiles();
  if (findOrphanedEntry(db, location, activity)) removeOrphanedAlone(location, activity);
  const { path, database } = location;
  const name = storedProjectName(db) ?? location.name;
  return {
    path,
    database,
    name,
    get db() {
      return db;
    },
    refresh() {
      const identity = fileIdentityOf(location.database);
      if (identity === opened || identity === undefined) return;
      const replaced = db;
      db = prepareDatabase(openQualcoderFile(location.database, rules));
      opened = identity;
      isWritable = false;
      hasBackup = false;
      replaced.close();
      reportPrivateFiles();
    },
    asAgent(work) {
      const before = caller;
      if (before !== "agent") ensurePrivacyViews(db);
      caller = "agent";
      try {
        return work();
      } finally {
        caller = before;
      }
    },
    ...writeMethods((request, work, mayChange) => {
      const { call, operation, summary, undoes, coder, preview, token, subject } = request;
      const isAgents = coder !== undefined || !isPerson(call);
      return withFileErrors(() => {
        openForWriting();
        const attempt = (): AttemptedWrite<ReturnType<typeof work> & { change_id: number }> => {
          if (!migrateOwnTables(db)) throw newerProject();
          removeOrphaned(db, location, activity);
          ensurePrivacyViews(db);
          const coders = knownCodersOf(db);
          const owner =
            coder === undefined ? coderNameOf(call, coders) : distinctAgentName(coders, coder);
          const writer = openRowWriter(db);
          const log = openChangeLog("lectern_");
          const date = qualcoderDate();
          const result = work({ writer, db, owner, date, log });
          ensureCoderListed(db, owner);
          if (isAgents) ensureAgentListed(db, owner);
          const { changes } = writer;
          const summaryText = typeof summary === "string" ? summary : summary();
          const tokenNow = () => digestOf([location.path, changes]);
          if (token !== undefined) assertNotStale(tokenNow(), token);
          const subjectNow = () => proposalSubjectOf(db, changes, date);
          if (subject) assertSameSubject(subjectNow(), subject);
          const rows = netChangesOf(changes);
          const privateChanges = changesToPrivateSources(db, changes);
          const mayAffectPrivate = mayBeUsedPrivately(db, rows);
          const isPrivate = privateChanges.length > 0 || mayAffectPrivate;
          // New rows are allowed: a new attribute gets an empty value for every source.
          const changesPrivateRows =
            mayAffectPrivate || privateChanges.some(({ before }) => before !== null);
          if (
            mayChange === "nothing" ||
            (mayChange === "agent-rows" && personOwnedChanges(db, rows).length > 0) ||
            (caller === "agent" && changesPrivateRows)
          ) {
            const findings = {
              summary: summaryText,
              preview,
              token: tokenNow(),
              subject: subjectNow(),
              subjectSummary: summarizeSubject(db, changes),
              affectedText: describeAffectedWork(db, rows),
              isPrivate,
            };
            return { isDone: false, findings };
          }
          // Before the commit: once a reader can see that a source is private, its files must be
          // hidden.
          if (changes.some(({ table }) => privacyTables.has(table))) reportPrivateFiles();
          if (isAgents) saveAgentRows(db, rows, owner);
          else deleteAgentRows(db, rows);
          const own = { call, operation, summary: summaryText };
          const ownChange = runSteps(db, recordChange(log, own, changes));
          if (undoes !== undefined) runSteps(db, log.markUndone(undoes, ownChange.id));
          // The list of activity is another file, so it is written last: only the commit can fail
          // now.
          const entry = activity.log.record({
            call,
            operation,
            summary: `${summaryText} (${name})`,
            undo: projectInverseOf(location, ownChange.id),
            project: { root: path, name },
            isPrivate,
          });
          const { id } = activity.store.run(entry);
          return { isDone: true, result: { ...result, change_id: id } };
        };
        return transactWithActivity(location, activity, db, attempt, ({ isDone }) => isDone);
      });
    }),
    close: () => db.close(),
  };
}

/** The other forms of a write, in terms of `attempt`. */
export const writeMethods = (
  attempt: AttemptWrite,
): Pick<QdaProject, "write" | "attempt" | "dryRun"> => ({
  attempt,
  write(request, work) {
    const attempted = attempt(request, work, "everything");
    if (attempted.isDone) return attempted.result;
    throw new Error("A write of an agent must pass the policy.");
  },
  dryRun(request, work) {
    const attempted = attempt(request, work, "nothing");
    if (attempted.isDone) throw new Error("A dry run was committed.");
    return attempted.findings;
  },
});

/** The tables that determine which sources are private and where their files are. */
const privacyTables: ReadonlySet<string> = new Set(["source", "lectern_sources"]);

function recordChange(
  log: ChangeLog,
  entry: { call: Call; operation: string; summary: string },
  rows: readonly RowChange[],
): Steps<Change> {
  return log.record({ ...entry, undo: { operation: undoProjectOperation, input: { rows } } });
}

const newerProject = (): Failure =>
  new Failure("conflict", "PROJECT_NEWER", "A newer Lectern has written to this project.", {
    hints: ["Update Lectern to write to it. You can still read the project."],
  });
