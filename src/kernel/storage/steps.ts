import type { ColumnValue } from "./database.ts";

/**
 * Work on the store, written once for SQLite and PostgreSQL: a generator that yields statements and
 * receives their results. SQLite runs all steps without returning to the event loop, so nothing else
 * happens in between; PostgreSQL awaits each result. See docs/decisions/051.
 *
 * ```
 * function* titleOf(id: number): Steps<string | undefined> {
 *   const row = yield* get<{ title: string }>("SELECT title FROM documents WHERE id = ?", id);
 *   return row?.title;
 * }
 * ```
 */
export type Steps<Result> = Generator<Step, Result, unknown>;

/** Whether a value is steps rather than a result or a promise. */
export const isSteps = <Result>(value: unknown): value is Steps<Result> =>
  typeof value === "object" &&
  value !== null &&
  Object.prototype.toString.call(value) === "[object Generator]";

/** What a generator yields to the store that runs it. */
export type Step = Statement | RowsStep | TransactionStep | DialectStep;

export interface Statement {
  kind: "all" | "get" | "run";
  sql: Sql;
  values: readonly ColumnValue[];
}

/** The same statement for each of several rows. PostgreSQL gets all rows in one. */
export interface RowsStep {
  kind: "insert" | "each";
  sql: Sql;
  rows: readonly (readonly ColumnValue[])[];
}

export interface TransactionStep {
  kind: "transaction";
  work: () => Steps<unknown>;
  options: TransactionOptions;
}

interface DialectStep {
  kind: "dialect";
}

/**
 * The text of a statement in the dialect of SQLite, as far as PostgreSQL understands it too; otherwise
 * a text for each. Parameters are `?` or `?1`. For PostgreSQL, quote aliases with capitals
 * (`AS "endLine"`), and write `root = ?1 OR ?1 IS NULL` in this order: it takes the type of a parameter
 * from its first use.
 */
export type Sql = string | Readonly<Record<SqlDialect, string>>;

export type SqlDialect = "sqlite" | "postgres";

interface TransactionOptions {
  /** Reads see one state of the store, and nothing may be written. */
  isSnapshot?: boolean;
  /** Fails immediately if another process is writing, for callers that retry later. */
  withoutWaiting?: boolean;
}

export function* all<Row>(sql: Sql, ...values: ColumnValue[]): Steps<Row[]> {
  return (yield { kind: "all", sql, values }) as Row[];
}

export function* get<Row>(sql: Sql, ...values: ColumnValue[]): Steps<Row | undefined> {
  return (yield { kind: "get", sql, values }) as Row | undefined;
}

/** Returns the number of changed rows. Use `RETURNING id` with `get` for the id of a new row. */
export function* run(sql: Sql, ...values: ColumnValue[]): Steps<number> {
  return (yield { kind: "run", sql, values }) as number;
}

/**
 * Inserts rows, many at once:
 *
 * ```
 * insertAll("INSERT INTO links (document, target)", [[1, "a.md"], [1, "b.md"]])
 * ```
 */
export function* insertAll(insertInto: string, rows: RowsStep["rows"]): Steps<void> {
  if (rows.length > 0) yield { kind: "insert", sql: insertInto, rows };
}

/**
 * Runs a statement for each row, whose values are the parameters of the statement for SQLite. The one
 * for PostgreSQL has a single parameter, a JSON array of all rows.
 */
export function* runForEach(
  sql: Readonly<Record<SqlDialect, string>>,
  rows: RowsStep["rows"],
): Steps<void> {
  if (rows.length > 0) yield { kind: "each", sql, rows };
}

/** Commits if the work returns, rolls back if it throws. A nested transaction is a savepoint. */
export function* transaction<Result>(
  work: () => Steps<Result>,
  options: Omit<TransactionOptions, "isSnapshot"> = {},
): Steps<Result> {
  return (yield { kind: "transaction", work, options }) as Result;
}

/** Reads one state of the store: later commits of other connections are invisible. */
export function* snapshot<Result>(work: () => Steps<Result>): Steps<Result> {
  return (yield { kind: "transaction", work, options: { isSnapshot: true } }) as Result;
}

/** Work that needs no statement, or has the database itself, as steps. */
export function* direct<Result>(work: () => Result): Steps<Result> {
  yield* [];
  return work();
}

/** The dialect of the store that runs the steps, for work that only one of them needs. */
export function* dialect(): Steps<SqlDialect> {
  return (yield { kind: "dialect" }) as SqlDialect;
}

/**
 * A condition for one of the numbers, or texts, in a parameter with a JSON array:
 *
 * ```
 * all(`SELECT path FROM documents WHERE id ${inNumbers("?1")}`, JSON.stringify(ids))
 * ```
 */
export const inNumbers = (parameter: string): string => `IN (${listMark.numbers}${parameter}))`;
export const inTexts = (parameter: string): string => `IN (${listMark.texts}${parameter}))`;

/** How the conditions begin; `postgres/dialect.ts` replaces them. */
export const listMark = {
  numbers: "SELECT value FROM json_each(/* numbers */ ",
  texts: "SELECT value FROM json_each(/* texts */ ",
} as const;
