import { Failure } from "../failure.ts";
import { createSerialQueue } from "../processes/serial-queue.ts";
import type { ColumnValue } from "../storage/database.ts";
import type { RowsStep, Sql, Statement, Steps, TransactionStep } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import { type PostgresStatement, toPostgres, toPostgresInsert } from "./dialect.ts";
import { isLockBusy } from "./postgres-errors.ts";
import type { SqlClient, SqlParameter, SqlRunner, StatementOptions } from "./sql-client.ts";

export interface PostgresStoreOptions {
  client: SqlClient;
  /** The name of the lock that the home's writers hold; without quotes. */
  lock: string;
  /** The channel that is notified of each commit; without quotes. */
  channel?: string | undefined;
  /** The roots that a process with a force root shows; absent if it shows all. */
  shownRoots?: (() => readonly string[]) | undefined;
}

/** How long a writer waits for the writers of other processes. */
const lockWaitMs = 10_000;

/**
 * Writers run one after the other, as in SQLite: a transaction begins by taking the lock of the
 * home. So code that reads and then writes is correct in both.
 */
export function openPostgresStore({
  client,
  lock,
  channel,
  shownRoots,
}: PostgresStoreOptions): Store {
  const statements = new Map<string, PostgresStatement>();
  const isConfined = shownRoots !== undefined;
  // Writers of this process wait here, so that they do not use up the connections.
  const writers = createSerialQueue();

  function convert(sql: Sql): PostgresStatement {
    const text = typeof sql === "string" ? sql : sql.postgres;
    const known = statements.get(text);
    if (known) return known;
    const statement = toPostgres(text, isConfined);
    statements.set(text, statement);
    return statement;
  }

  async function perform(
    runner: SqlRunner,
    statement: Statement,
    options?: StatementOptions,
  ): Promise<unknown> {
    const { text, needsShownRoots } = convert(statement.sql);
    const values: SqlParameter[] = statement.values.map(toPostgresValue);
    if (needsShownRoots) values.push(shownRoots?.() ?? []);
    const { rows, changes } = await runner.query(text, values, options);
    return { all: rows, get: rows[0], run: changes }[statement.kind];
  }

  /** Runs steps, with a function for each kind of step. */
  async function runSteps<Result>(steps: Steps<Result>, handle: StepHandler): Promise<Result> {
    let next = steps.next();
    while (!next.done) {
      const step = next.value;
      let result: unknown;
      try {
        if (step.kind === "dialect") result = "postgres";
        else if (step.kind === "transaction") result = await handle.transaction(step);
        else result = await handle.statement("rows" in step ? toStatement(step) : step);
      } catch (error) {
        next = steps.throw(error);
        continue;
      }
      next = steps.next(result);
    }
    return next.value;
  }

  /** Outside a transaction, a statement that writes is a transaction of its own. */
  const outside: StepHandler = {
    transaction: runTransaction,
    statement: (statement) =>
      isReading(statement)
        ? perform(client, statement, { repeatable: true })
        : runTransaction(alone(statement)),
  };

  /** `depth` is the number of transactions around the steps. */
  const inside = (runner: SqlRunner, depth: number): StepHandler => ({
    transaction: (step) => runSavepoint(runner, step, depth),
    statement: (statement) => perform(runner, statement),
  });

  async function runTransaction({ work, options }: TransactionStep): Promise<unknown> {
    let hasRead = false;
    // Work that has received a result may have had effects, so it is not repeated.
    const isRepeatable = () => !hasRead;
    const runWork = (runner: SqlRunner): Promise<unknown> => {
      const handler = inside(runner, 1);
      return runSteps(work(), {
        transaction: handler.transaction,
        async statement(statement) {
          const result = await handler.statement(statement);
          hasRead = true;
          return result;
        },
      });
    };
    if (options.isSnapshot) {
      return client.transaction(runWork, {
        isolation: "repeatable read",
        readOnly: true,
        isRepeatable,
      });
    }
    const waitMs = options.withoutWaiting ? 1 : lockWaitMs;
    return writers.run("write", () =>
      client
        .transaction(runWork, {
          lock: { name: lock, waitMs },
          isRepeatable,
          ...(channel !== undefined && { notify: channel }),
        })
        .catch((error: unknown) => {
          throw isLockBusy(error) ? storeBusy() : error;
        }),
    );
  }

  async function runSavepoint(
    runner: SqlRunner,
    { work }: TransactionStep,
    depth: number,
  ): Promise<unknown> {
    const name = `s${depth}`;
    // They travel with the next statement. If one fails, so does the rest of the transaction.
    const send = (text: string): void => void runner.script(text).catch(() => undefined);
    send(`SAVEPOINT ${name}`);
    let result: unknown;
    try {
      result = await runSteps(work(), inside(runner, depth + 1));
    } catch (error) {
      send(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    }
    send(`RELEASE ${name}`);
    return result;
  }

  return {
    dialect: "postgres",
    run: (steps) => runSteps(steps, outside),
    waitUntilWritable: () => undefined,
    truncateLog() {},
    async size() {
      const row = await client.get<{ bytes: number }>(
        `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class
          WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`,
      );
      return row?.bytes ?? 0;
    },
    vacuum() {},
  };
}

/** What the steps of one level do. */
interface StepHandler {
  transaction(step: TransactionStep): Promise<unknown>;
  statement(statement: Statement): Promise<unknown>;
}

const isReading = ({ kind, sql }: Statement): boolean =>
  kind !== "run" && /^\s*(SELECT|WITH)\b/i.test(typeof sql === "string" ? sql : sql.postgres);

const storeBusy = (): Failure =>
  new Failure("unavailable", "store-busy", "Another server is writing to this home.", {
    hints: ["Try again in a moment."],
  });

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
    part instanceof Uint8Array
      ? `\\x${Buffer.from(part).toString("hex")}`
      : typeof part === "string"
        ? withoutNull(part)
        : part,
  );

const toPostgresValue = (value: ColumnValue): ColumnValue =>
  typeof value === "string" ? withoutNull(value) : value;

/** Text in PostgreSQL cannot contain U+0000. */
const withoutNull = (text: string): string =>
  text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
