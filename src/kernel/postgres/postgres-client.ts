import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresHome } from "./home-address.ts";
import { openHostChoice } from "./host-choice.ts";
import { commitUnknown, databaseBusy, isConnectionLost, isTimeout } from "./postgres-errors.ts";
import type { Session, SessionDeadlines } from "./session.ts";
import { openSessionPool, type PoolLimits, type SessionPool } from "./session-pool.ts";
import type { SqlClient, SqlRunner, TransactionOptions } from "./sql-client.ts";
import { isConcurrencyError } from "./sql-error.ts";

/** The database of a home: a client for each role, and sessions for locks and notifications. */
export interface PostgresDatabase {
  /** Reads and writes on the primary. */
  readonly primary: SqlClient;
  /** Reads on the hosts that `target_session_attrs` names; equal to `primary` by default. */
  readonly reads: SqlClient;
  /** A session with the primary outside of the pool, for locks and notifications. */
  openSession(signal?: AbortSignal): Promise<Session>;
  close(): Promise<void>;
}

export type PostgresOptions = Partial<SessionDeadlines & PoolLimits>;

const defaults = {
  connectMs: 3_000,
  statementMs: 30_000,
  sessions: 10,
  acquireMs: 10_000,
  idleMs: 60_000,
};

/** How often a transaction or a repeatable statement is tried. */
const maxAttempts = 6;

/** Opens no connection yet. */
export function openPostgres(home: PostgresHome, options: PostgresOptions = {}): PostgresDatabase {
  const limits = { ...defaults, ...options };
  const hosts = openHostChoice(home, limits);
  const primary = clientOf(openSessionPool(hosts, "primary", limits));
  const reads =
    home.reads === "primary" ? primary : clientOf(openSessionPool(hosts, home.reads, limits));
  return {
    primary,
    reads,
    openSession: (signal) => hosts.open("primary", limits.acquireMs, signal),
    async close() {
      await Promise.all([...new Set([primary, reads])].map((client) => client.close()));
    },
  };
}

function clientOf(pool: SessionPool): SqlClient {
  const runner = runnerOf(<Row>(...[sql, values, options]: Parameters<Session["query"]>) => {
    const once = () =>
      pool.use((session) => session.query<Row>(sql, values, options), options?.signal);
    return options?.repeatable ? withRetries(once, isConnectionLost, options.signal) : once();
  });
  return {
    ...runner,
    transaction: (work, options = {}) =>
      withRetries(
        () => pool.use((session) => runTransaction(session, work, options), options.signal),
        (error) =>
          (isConcurrencyError(error) || isConnectionLost(error)) &&
          (options.isRepeatable?.() ?? true),
        options.signal,
      ),
    withConnection: (work, options) =>
      pool.use((session) => work(runnerOf(session.query)), options?.signal),
    get roundTrips() {
      return pool.roundTrips;
    },
    close: () => pool.close(),
  };
}

/** The methods of a runner, from one that runs a statement. */
export function runnerOf(query: Session["query"]): SqlRunner {
  return {
    all: async <Row>(...call: Parameters<SqlRunner["all"]>) => (await query<Row>(...call)).rows,
    get: async <Row>(...call: Parameters<SqlRunner["get"]>) => (await query<Row>(...call)).rows[0],
    run: async (...call) => (await query(...call)).changes,
    query,
    script: async (text, options) => {
      await query(text, [], { ...options, prepared: false });
    },
  };
}

async function runTransaction<Result>(
  session: Session,
  work: (sql: SqlRunner) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const { signal, readOnly, statementDeadlineMs } = options;
  const runner = runnerOf(<Row>(...[sql, values, options]: Parameters<Session["query"]>) =>
    session.query<Row>(sql, values, {
      signal,
      ...(statementDeadlineMs !== undefined && { deadlineMs: statementDeadlineMs }),
      ...options,
    }),
  );
  // This is sent with the first statement of `work`; an error makes that one fail too.
  const begin = session.query(beginning(options));
  begin.catch(() => undefined);
  let result: Result;
  try {
    result = await work(runner);
    await begin;
    signal?.throwIfAborted();
  } catch (error) {
    await session.query("ROLLBACK").catch(() => undefined);
    throw await begin.then(
      () => error,
      (first: unknown) => first,
    );
  }
  const { command } = await session.query("COMMIT").catch((error: unknown) => {
    const isUnknown = isConnectionLost(error) || isTimeout(error);
    throw isUnknown && !readOnly ? commitUnknown(session.host) : error;
  });
  if (command === "ROLLBACK") throw new Error("A statement of a committed transaction failed.");
  return result;
}

/** What begins a transaction, as one message. */
export function beginning(options: TransactionOptions): string {
  const { isolation = "read committed", readOnly, statementDeadlineMs, lock, notify } = options;
  const parts = [`BEGIN ISOLATION LEVEL ${isolation}${readOnly ? " READ ONLY" : ""}`];
  if (statementDeadlineMs !== undefined) {
    parts.push(`SET LOCAL statement_timeout = ${statementDeadlineMs}`);
  }
  if (lock) {
    parts.push(`SET LOCAL lock_timeout = ${lock.waitMs}`);
    parts.push(`SELECT pg_advisory_xact_lock(hashtextextended('${lock.name}', 0))`);
  }
  if (notify) parts.push(`SELECT pg_notify('${notify}', '')`);
  return parts.join("; ");
}

async function withRetries<Result>(
  work: () => Promise<Result>,
  isRetryable: (error: unknown) => boolean,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt === maxAttempts) throw isConcurrencyError(error) ? conflicting() : error;
    }
    // Different delays let competing transactions pass each other.
    await sleep(Math.random() * 10 * 2 ** attempt, undefined, { signal }).catch(() => undefined);
    signal?.throwIfAborted();
  }
}

const conflicting = () =>
  databaseBusy("Other processes change the same rows all the time.", "Try again in a moment.");
