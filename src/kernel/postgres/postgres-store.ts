import type { ColumnValue } from "../storage/database.ts";
import type { RowsStep, Sql, Statement, Steps, TransactionStep } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import { type PostgresStatement, toPostgres, toPostgresInsert } from "./dialect.ts";

/** Where statements are sent: a pool, or one connection during a transaction. */
export interface PostgresSession {
  query(
    text: string,
    values: readonly unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; changes: number }>;
  /** Runs a script without parameters, in one message. */
  script(text: string): Promise<void>;
}

export interface PostgresPool extends PostgresSession {
  /** Lends one connection; it is closed instead of reused if the work throws a connection error. */
  withConnection<Result>(work: (session: PostgresSession) => Promise<Result>): Promise<Result>;
}

export interface PostgresStoreOptions {
  pool: PostgresPool;
  /** A number of the home, for its locks. */
  lockKey: number;
  /** The roots that a process with a force root shows; absent if it shows all. */
  shownRoots?: (() => readonly string[]) | undefined;
}

/**
 * Writers run one after the other, as in SQLite: a transaction begins by taking the lock of the
 * home. So code that reads and then writes is correct in both.
 */
export function openPostgresStore({ pool, lockKey, shownRoots }: PostgresStoreOptions): Store {
  const statements = new Map<string, PostgresStatement>();
  const isConfined = shownRoots !== undefined;

  function convert(sql: Sql): PostgresStatement {
    const text = typeof sql === "string" ? sql : sql.postgres;
    const known = statements.get(text);
    if (known) return known;
    const statement = toPostgres(text, isConfined);
    statements.set(text, statement);
    return statement;
  }

  async function perform(session: PostgresSession, statement: Statement): Promise<unknown> {
    const { text, needsShownRoots } = convert(statement.sql);
    const values: unknown[] = statement.values.map(toPostgresValue);
    if (needsShownRoots) values.push(shownRoots?.());
    const { rows, changes } = await session.query(text, values);
    return { all: rows, get: rows[0], run: changes }[statement.kind];
  }

  /** `depth` is the number of transactions around the steps. */
  async function runSteps<Result>(
    session: PostgresSession,
    steps: Steps<Result>,
    depth: number,
  ): Promise<Result> {
    let next = steps.next();
    while (!next.done) {
      const step = next.value;
      let result: unknown;
      try {
        if (step.kind === "dialect") result = "postgres";
        else if (step.kind === "transaction") result = await runTransaction(session, step, depth);
        else {
          const statement = "rows" in step ? toStatement(step) : step;
          result =
            statement.kind === "run" && depth === 0
              ? await runTransaction(session, alone(statement), 0)
              : await perform(session, statement);
        }
      } catch (error) {
        next = steps.throw(error);
        continue;
      }
      next = steps.next(result);
    }
    return next.value;
  }

  function runTransaction(
    session: PostgresSession,
    { work, options }: TransactionStep,
    depth: number,
  ): Promise<unknown> {
    if (depth > 0) {
      const name = `s${depth}`;
      return runBetween(session, work, depth, {
        begin: `SAVEPOINT ${name}`,
        commit: `RELEASE ${name}`,
        rollBack: `ROLLBACK TO ${name}; RELEASE ${name}`,
      });
    }
    const lock = options.withoutWaiting
      ? `SELECT lectern_try_lock(${lockKey})`
      : `SELECT pg_advisory_xact_lock(${lockKey})`;
    const begin = options.isSnapshot
      ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      : `BEGIN; ${lock}`;
    return pool.withConnection((connection) =>
      runBetween(connection, work, 0, { begin, commit: "COMMIT", rollBack: "ROLLBACK" }),
    );
  }

  async function runBetween<Result>(
    session: PostgresSession,
    work: () => Steps<Result>,
    depth: number,
    { begin, commit, rollBack }: Record<"begin" | "commit" | "rollBack", string>,
  ): Promise<Result> {
    await session.script(begin);
    let result: Result;
    try {
      result = await runSteps(session, work(), depth + 1);
    } catch (error) {
      // If the connection is lost, the server rolls back.
      await session.script(rollBack).catch(() => {});
      throw error;
    }
    await session.script(commit);
    return result;
  }

  return {
    dialect: "postgres",
    run: (steps) => runSteps(pool, steps, 0),
    waitUntilWritable: () => undefined,
  };
}

const alone = (statement: Statement): TransactionStep => ({
  kind: "transaction",
  *work() {
    return yield statement;
  },
  options: {},
});

/** All rows are one parameter, so that the number of rows does not change the text. */
function toStatement({ kind, sql, rows }: RowsStep): Statement {
  const given = typeof sql === "string" ? sql : sql.postgres;
  if (kind === "each") return { kind: "run", sql: given, values: [toJson(rows)] };
  const { text, columns } = toPostgresInsert(given);
  const records = rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index]])),
  );
  return { kind: "run", sql: text, values: [toJson(records)] };
}

const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part instanceof Uint8Array ? `\\x${Buffer.from(part).toString("hex")}` : part,
  );

/** PostgreSQL text cannot contain U+0000 either. */
const toPostgresValue = (value: ColumnValue): unknown => value;
