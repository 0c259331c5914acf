import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { elementAt } from "../../text/arrays/element-at.ts";
import { Failure } from "../failure.ts";
import {
  awaitReply,
  type ChildLost,
  findChildProgram,
  openSharedChild,
  startChild,
} from "../processes/child-process.ts";
import { createFairQueue, type JobTurn, type QueueClient } from "../processes/fair-queue.ts";
import type { SqlAnswer, SqlDataset, SqlPage, SqlQuery } from "./dataset.ts";
import type { SqlFinalMessage, SqlJob, SqlMessage } from "./job.ts";
import { parseReadOnlyStatement } from "./read-only-statement.ts";
import { createSyncedDatasets } from "./synced-datasets.ts";

/** Runs untrusted, read-only statements on data sets. */
export interface SqlSandbox {
  query(set: SqlDataset, query: SqlQuery, limits?: QueryLimits): Promise<SqlAnswer>;
  /** Ends the child processes. Statements that still wait fail. */
  close(): Promise<void>;
}

export interface QueryLimits {
  /** How long the statement may run, not counting its time in the queue. */
  deadlineMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** The client that sent the statement: the queue serves clients round-robin. */
  client?: QueueClient | undefined;
}

export interface SqlSandboxOptions {
  /** The number of child processes, each of which runs one statement at a time. */
  workers?: number;
  /** The file that the child runs. */
  program?: string;
  /** How long an idle child stays alive. */
  idleMs?: number;
}

const defaultDeadlineMs = 5_000;
/** How long loading rows into the child may take. */
const loadDeadlineMs = 60_000;
/** The rows after the page are counted for at most this share of the deadline. */
const countingShare = 0.2;

/** At least two, so that one long statement does not block all clients. */
const defaultWorkers = Math.min(Math.max(availableParallelism(), 2), 4);

const anonymousClient: QueueClient = { sender: "", peer: "" };

/** Runs untrusted statements in a small pool of child processes, shared by all clients. */
export function openSqlSandbox(options: SqlSandboxOptions = {}): SqlSandbox {
  const { workers: count = defaultWorkers } = options;
  const queue = createFairQueue({ slots: count, what: "SQL statements" });
  const pool = Array.from({ length: count }, () => openSqlWorker(options));
  return {
    async query(set, query, limits = {}) {
      const { client = anonymousClient, signal } = limits;
      signal?.throwIfAborted();
      const statement = { ...query, sql: parseReadOnlyStatement(query.sql) };
      const run = (turn: JobTurn) =>
        elementAt(pool, turn.slot).run(set, statement, turn, limits.deadlineMs);
      return queue.run(client, run, signal);
    },
    async close() {
      await Promise.all(pool.map((worker) => worker.close()));
      await queue.idle();
    },
  };
}

/** A child process that runs one statement at a time. */
interface SqlWorker {
  run(set: SqlDataset, query: SqlQuery, turn: JobTurn, deadlineMs?: number): Promise<SqlAnswer>;
  close(): Promise<void>;
}

/**
 * Statements run in a child process, because only killing it stops one that is inside SQLite. The
 * first statement starts the child. A child whose statement exceeds its deadline is killed and
 * replaced immediately. A child exits when it has been idle for a while or its IPC channel closes.
 */
function openSqlWorker(options: SqlSandboxOptions): SqlWorker {
  const { idleMs = 60_000 } = options;
  const shared = openSharedChild(idleMs);
  /** The data sets that the running child has loaded. */
  let synced = createSyncedDatasets();
  let closed = false;

  async function run(
    set: SqlDataset,
    query: SqlQuery,
    { signal, startSlice }: JobTurn,
    deadlineMs = defaultDeadlineMs,
  ): Promise<SqlAnswer> {
    signal.throwIfAborted();
    try {
      await load(set, signal);
      // Starting the child and loading the data set do not count towards the statement's time.
      startSlice();
      const countMs = deadlineMs * countingShare;
      const job: SqlJob = { ...query, type: "query", dataset: set.name, countMs };
      const { page, end } = await send(job, deadlineMs, signal);
      if (page && "remaining" in end) return toAnswer(page, end);
      if (page) return toAnswer(page, { remaining: 0, isCounted: false });
      throw failureOfEnd(end, deadlineMs);
    } finally {
      shared.release();
    }
  }

  async function load(set: SqlDataset, signal: AbortSignal): Promise<void> {
    shared.getOrStart(start);
    const sent = synced;
    const job = sent.loadJobFor(set);
    if (!job) return;
    const { end } = await send(job, loadDeadlineMs, signal);
    if ("loaded" in end) return;
    sent.forget(set.name);
    throw failureOfEnd(end, loadDeadlineMs);
  }

  async function send(job: SqlJob, deadlineMs: number, signal: AbortSignal): Promise<JobResult> {
    const child = shared.getOrStart(start);
    let page: SqlPage | undefined;
    let isReusable = false;
    const toFinalMessage = (message: SqlMessage): SqlFinalMessage | undefined => {
      if (!("page" in message)) return message;
      page = message.page;
      return undefined;
    };
    try {
      const reply = await awaitReply(child, job, { deadlineMs, signal }, toFinalMessage);
      const end = "answer" in reply ? reply.answer : reply;
      isReusable = "shouldReplace" in end && !end.shouldReplace && !("isOutOfMemory" in end);
      return { page, end };
    } finally {
      if (!isReusable) replaceChild();
    }
  }

  function start(): ChildProcess {
    if (closed) throw sqlUnavailable("Lectern is shutting down.");
    const program = findChildProgram("sql.mjs", options.program);
    if (!program) throw sqlUnavailable("A program file is missing: reinstall or rebuild Lectern.");
    synced = createSyncedDatasets();
    return startChild(["--max-old-space-size=512", program]);
  }

  /** Starts the replacement immediately, so that the next statement need not wait for it. */
  function replaceChild(): void {
    shared.kill();
    if (!closed) shared.getOrStart(start);
  }

  return {
    run,
    async close() {
      closed = true;
      await shared.close();
    },
  };
}

/** The result of a job: a page, if one was sent, and the final message or why there is none. */
interface JobResult {
  page: SqlPage | undefined;
  end: SqlFinalMessage | ChildLost;
}

const toAnswer = (
  page: SqlPage,
  { remaining, isCounted }: Pick<SqlAnswer, "remaining" | "isCounted">,
): SqlAnswer => ({ ...page, remaining, isCounted });

function failureOfEnd(end: JobResult["end"], deadlineMs: number): Error {
  if ("refusal" in end) {
    const { kind, code, message, hints } = end.refusal;
    return new Failure(kind, code, message, { hints });
  }
  if ("isOutOfMemory" in end) {
    return new Failure("too-large", "too-large", "The statement takes too much memory.", {
      hints: ["Narrow it with WHERE, or sort and group fewer rows."],
    });
  }
  if ("problem" in end) return new Error(end.problem);
  if ("lost" in end && end.lost === "late") {
    return new Failure("unavailable", "timeout", `Stopped after ${deadlineMs / 1000} s.`, {
      hints: ["Narrow it with WHERE, join fewer rows, or limit its recursion."],
    });
  }
  return sqlUnavailable(
    "The SQL process ended unexpectedly; the statement may need too much memory.",
  );
}

const sqlUnavailable = (hint: string): Failure =>
  new Failure("unavailable", "no-sql", "The SQL statement could not be run.", { hints: [hint] });
