import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { childProgram, hearOut, type Lost, openSharedChild, startChild } from "../child-process.ts";
import { Failure } from "../failure.ts";
import { makeFairQueue } from "../fair-queue.ts";
import { makeHeldSets } from "./held-sets.ts";
import type { SqlJob, SqlLastWord, SqlMessage } from "./job.ts";
import type { SqlAnswer, SqlPage, SqlQuery, SqlSet } from "./set.ts";
import { readingStatement } from "./statement.ts";

/** Runs statements of strangers on what is lent to them, and lets them write nothing. */
export interface SqlSandbox {
  query(set: SqlSet, query: SqlQuery, limits?: QueryLimits): Promise<SqlAnswer>;
  /** Ends the process; statements that still wait fail. */
  close(): Promise<void>;
}

export interface QueryLimits {
  /** How long the statement may run, once it is its turn. */
  deadlineMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Whose statement it is: clients take turns. */
  client?: string | undefined;
}

export interface SqlSandboxOptions {
  /** How many statements run at once, each of another client. */
  lanes?: number;
  /** The file that the child runs. */
  program?: string;
  /** How long the child stays when there is nothing to run. */
  idleMs?: number;
}

const usualDeadlineMs = 5_000;
/** How long rows may be on their way into the child. */
const loadDeadlineMs = 60_000;
/** Rows behind the page are counted for this share of the deadline, at most. */
const countingShare = 0.2;

/** Two at least, so that one long statement is not in everybody's way. */
const defaultLanes = Math.min(Math.max(availableParallelism(), 2), 4);

/** Statements of strangers run in child processes: a few of them, in which clients take turns. */
export function openSqlSandbox(options: SqlSandboxOptions = {}): SqlSandbox {
  const { lanes: count = defaultLanes } = options;
  const queue = makeFairQueue({ lanes: count, what: "SQL statements" });
  const lanes = Array.from({ length: count }, () => openLane(options));
  return {
    async query(set, query, limits = {}) {
      const { client = "", signal } = limits;
      signal?.throwIfAborted();
      const statement = { ...query, sql: readingStatement(query.sql) };
      // The queue hands out the numbers of its lanes.
      const run = (lane: number) => (lanes[lane] as Lane).run(set, statement, limits);
      return queue.run(client, run, signal);
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
      await queue.idle();
    },
  };
}

/** One child, and one statement at a time in it. */
interface Lane {
  run(set: SqlSet, query: SqlQuery, limits: QueryLimits): Promise<SqlAnswer>;
  close(): Promise<void>;
}

/**
 * Statements run in a child process, since nothing less can stop one that is inside SQLite. The child
 * is started by the first, killed with one that takes too long, and replaced at once; it ends after a
 * while without work, and when our end of its channel closes.
 */
function openLane(options: SqlSandboxOptions): Lane {
  const { idleMs = 60_000 } = options;
  const shared = openSharedChild(idleMs);
  /** What the running child was sent. */
  let held = makeHeldSets();
  let closed = false;

  async function run(set: SqlSet, query: SqlQuery, limits: QueryLimits): Promise<SqlAnswer> {
    const { deadlineMs = usualDeadlineMs, signal } = limits;
    signal?.throwIfAborted();
    try {
      await load(set, signal);
      const countMs = deadlineMs * countingShare;
      const job: SqlJob = { ...query, deed: "query", set: set.name, countMs };
      const { page, end } = await ask(job, deadlineMs, signal);
      if (page && "remaining" in end) return answerOf(page, end);
      if (page) return answerOf(page, { remaining: 0, isCounted: false });
      throw failureOf(end, deadlineMs);
    } finally {
      shared.rest();
    }
  }

  async function load(set: SqlSet, signal: AbortSignal | undefined): Promise<void> {
    shared.take(start);
    const sent = held;
    const job = sent.update(set);
    if (!job) return;
    const { end } = await ask(job, loadDeadlineMs, signal);
    if ("loaded" in end) return;
    sent.drop(set.name);
    throw failureOf(end, loadDeadlineMs);
  }

  async function ask(
    job: SqlJob,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Exchange> {
    const child = shared.take(start);
    let page: SqlPage | undefined;
    let isFit = false;
    const lastWord = (message: SqlMessage): SqlLastWord | undefined => {
      if (!("page" in message)) return message;
      page = message.page;
      return undefined;
    };
    try {
      const heard = await hearOut(child, job, { deadlineMs, signal }, lastWord);
      const end = "answer" in heard ? heard.answer : heard;
      isFit = "isSpent" in end && !end.isSpent && !("isFull" in end);
      return { page, end };
    } finally {
      if (!isFit) replace();
    }
  }

  function start(): ChildProcess {
    if (closed) throw noSql("The program is about to end.");
    const program = childProgram("sql.mjs", options.program);
    if (!program) throw noSql("A part of the program is missing: install or build it anew.");
    held = makeHeldSets();
    return startChild(["--max-old-space-size=512", program]);
  }

  /** The next statement finds a child that has started already. */
  function replace(): void {
    shared.dismiss();
    if (!closed) shared.take(start);
  }

  return {
    run,
    async close() {
      closed = true;
      await shared.close();
    },
  };
}

/** What came of a job: perhaps a page, and then the child's last word or its loss. */
interface Exchange {
  page: SqlPage | undefined;
  end: SqlLastWord | Lost;
}

const answerOf = (
  page: SqlPage,
  { remaining, isCounted }: Pick<SqlAnswer, "remaining" | "isCounted">,
): SqlAnswer => ({ ...page, remaining, isCounted });

function failureOf(end: Exchange["end"], deadlineMs: number): Error {
  if ("refusal" in end) {
    const { kind, code, message, hints } = end.refusal;
    return new Failure(kind, code, message, { hints });
  }
  if ("isFull" in end) {
    return new Failure("too-large", "too-large", "The statement takes too much memory.", {
      hints: ["Narrow it, or sort and group fewer rows."],
    });
  }
  if ("problem" in end) return new Error(end.problem);
  if ("lost" in end && end.lost === "late") {
    return new Failure("unavailable", "timeout", `Stopped after ${deadlineMs / 1000} s.`, {
      hints: ["Narrow the statement with WHERE, join on fewer rows, or end its recursion."],
    });
  }
  return noSql("The process that runs it ended; the statement may take too much memory.");
}

const noSql = (hint: string): Failure =>
  new Failure("unavailable", "no-sql", "The SQL statement could not be run.", { hints: [hint] });
