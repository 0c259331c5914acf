import type { Change } from "../../../kernel/approval/change.ts";
import { type ChangeLog, openChangeLog } from "../../../kernel/approval/change-log.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import { assertPlainFile } from "../../../kernel/foreign/file-checks.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { type MaybePromise, whenReady } from "../../../kernel/processes/maybe-promise.ts";
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
  lastChangeId,
  migrateOwnTables,
  storedProjectName,
} from "../qda/storage-project.ts";
import { openRowWriter, type RowChange, type RowWriter } from "../qda/storage-rows.ts";
import {
  type Activity,
  findOrphanedEntry,
  isSync,
  type PerformedWrite,
  projectInverseOf,
  type RunWrite,
  removeOrphaned,
  removeOrphanedAlone,
  transactUnderLease,
  transactWithActivity,
  undoProjectOperation,
} from "./activity-sync.ts";
import { coderNameOf, distinctAgentName, qualcoderDate } from "./coder.ts";
import { privateMediaFiles } from "./private-media.ts";
import type { ProjectLease } from "./project-lease.ts";
import {
  assertNotInUse,
  assertStillThere,
  backUpProject,
  fileIdentityOf,
  type ProjectLocation,
} from "./project-location.ts";
import {
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
  ): MaybePromise<Result & { change_id: number }>;
  /** Like `write`, but returns its findings and writes nothing if it would change other rows. */
  attempt: AttemptWrite;
  /** Does the work in a transaction that is rolled back, and returns what it would change. */
  dryRun<Result extends object>(
    request: WriteRequest,
    work: (context: WriteContext) => Result,
  ): DryRunFindings;
  close(): MaybePromise<void>;
}

export type AttemptWrite = <Result extends object>(
  request: WriteRequest,
  work: (context: WriteContext) => Result,
  mayChange: MayChange,
) => MaybePromise<AttemptedWrite<Result & { change_id: number }>>;

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

/** The lease is needed where `activity` is not in SQLite; closing the project releases it. */
export function openQdaProject(
  { boundary, activity, onPrivateFiles }: ProjectOptions,
  location: ProjectLocation,
  { isNew, lease }: { isNew: boolean; lease?: ProjectLease },
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
  if (isSync(activity)) {
    const orphaned = findOrphanedEntry(lastChangeId(db), location, activity.log);
    if (activity.store.run(orphaned)) removeOrphanedAlone(location, activity);
  }
  const { path, database } = location;
  const name = storedProjectName(db) ?? location.name;
  function withCaller<Result>(as: typeof caller, work: () => Result): Result {
    const before = caller;
    caller = as;
    try {
      return work();
    } finally {
      caller = before;
    }
  }

  /** Runs in a transaction, which is committed or rolled back by the caller. */
  function performWrite<Result extends object>(
    { call, operation, summary, undoes, coder, preview, token, subject }: WriteRequest,
    work: (context: WriteContext) => Result,
    { mayChange, date, isTrial }: { mayChange: MayChange; date: string; isTrial: boolean },
  ): PerformedWrite<Result> {
    const isAgents = coder !== undefined || !isPerson(call);
    ensurePrivacyViews(db);
    const coders = knownCodersOf(db);
    const owner =
      coder === undefined ? coderNameOf(call, coders) : distinctAgentName(coders, coder);
    const writer = openRowWriter(db);
    const log = openChangeLog("lectern_");
    const result = work({ writer, db, owner, date, log });
    ensureCoderListed(db, owner);
    if (isAgents) ensureAgentListed(db, owner);
    const { changes } = writer;
    const summaryText = typeof summary === "string" ? summary : summary();
    const digest = () => digestOf([location.path, changes]);
    if (token !== undefined) assertNotStale(digest(), token);
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
        token: digest(),
        subject: subjectNow(),
        subjectSummary: summarizeSubject(db, changes),
        affectedText: describeAffectedWork(db, rows),
        isPrivate,
      };
      return { isDone: false, findings };
    }
    // Before the commit: once a reader can see that a source is private, its files must be
    // hidden.
    if (!isTrial && changes.some(({ table }) => privacyTables.has(table))) reportPrivateFiles();
    if (isAgents) saveAgentRows(db, rows, owner);
    else deleteAgentRows(db, rows);
    const own = { call, operation, summary: summaryText };
    const { id: change } = runSteps(db, recordChange(log, own, changes));
    if (undoes !== undefined) runSteps(db, log.markUndone(undoes, change));
    const entry = {
      call,
      operation,
      summary: `${summaryText} (${name})`,
      undo: projectInverseOf(location, change),
      project: { root: path, name },
      isPrivate,
    };
    return { isDone: true, result, entry, change, digest };
  }

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
      if (caller !== "agent") ensurePrivacyViews(db);
      return withCaller("agent", work);
    },
    ...writeMethods((request, work, mayChange) => {
      if (isSync(activity)) {
        const { log, store } = activity;
        return withFileErrors(() => {
          openForWriting();
          const attempt = (): AttemptedWrite<ReturnType<typeof work> & { change_id: number }> => {
            if (!migrateOwnTables(db)) throw newerProject();
            removeOrphaned(db, location, activity);
            const options = { mayChange, date: qualcoderDate(), isTrial: false };
            const performed = performWrite(request, work, options);
            if (!performed.isDone) return performed;
            // The list of activity is another file, so it is written last: only the commit can fail
            // now.
            return withChangeId(performed.result, store.run(log.record(performed.entry)).id);
          };
          return transactWithActivity(location, activity, db, attempt, ({ isDone }) => isDone);
        });
      }
      const asCaller = caller;
      const date = qualcoderDate();
      const run: RunWrite<ReturnType<typeof work>> = (check) => {
        const isTrial = check === undefined;
        const perform = () => {
          if (!migrateOwnTables(db)) throw newerProject();
          const performed = performWrite(request, work, { mayChange, date, isTrial });
          check?.(performed);
          return performed;
        };
        return withCaller(asCaller, () =>
          withFileErrors(() => {
            openForWriting();
            return db.transaction(perform, { commitIf: () => !isTrial });
          }),
        );
      };
      if (mayChange === "nothing") return dryRunOf(run());
      const held = requireLease(lease);
      return held.writes.run(request.operation, async () => {
        const { performed, id } = await transactUnderLease(location, activity, held, run);
        return performed.isDone ? withChangeId(performed.result, id) : performed;
      });
    }),
    close() {
      if (!lease) return db.close();
      return lease.writes.run("close", () => {
        db.close();
        return lease.release();
      });
    },
  };
}

function dryRunOf(performed: PerformedWrite<unknown>): AttemptedWrite<never> {
  if (performed.isDone) throw new Error("A dry run was done.");
  return performed;
}

function requireLease(lease: ProjectLease | undefined): ProjectLease {
  if (lease) return lease;
  throw new Error("A project was opened without its lease.");
}

const withChangeId = <Result extends object>(
  result: Result,
  change_id: number,
): AttemptedWrite<Result & { change_id: number }> => ({
  isDone: true,
  result: { ...result, change_id },
});

/** The other forms of a write, in terms of `attempt`. */
export const writeMethods = (
  attempt: AttemptWrite,
): Pick<QdaProject, "write" | "attempt" | "dryRun"> => ({
  attempt,
  write: (request, work) =>
    whenReady(attempt(request, work, "everything"), (attempted) => {
      if (attempted.isDone) return attempted.result;
      throw new Error("A write of an agent must pass the policy.");
    }),
  dryRun(request, work) {
    const attempted = attempt(request, work, "nothing");
    if (attempted instanceof Promise || attempted.isDone)
      throw new Error("A dry run was committed.");
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
