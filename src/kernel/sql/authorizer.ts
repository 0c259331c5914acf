import { Failure, invalid } from "../failure.ts";
import { allowedFunctions, allowedTableFunctions } from "./allowed-functions.ts";

/** SQLite's authorizer action codes (SQLITE_READ, SQLITE_SELECT …). */
const actions = { read: 20, select: 21, function: 31, recursive: 33 };
const allowed = 0;
const denied = 1;

export interface ReadableNames {
  tables: ReadonlySet<string>;
  views: ReadonlySet<string>;
  /** The schema names of attached files. */
  schemas: ReadonlySet<string>;
  /** Eponymous virtual tables of this SQLite, which exist without CREATE VIRTUAL TABLE. */
  modules: ReadonlySet<string>;
}

export interface Authorizer {
  decide(
    action: number,
    first: string | null,
    second: string | null,
    schema: string | null,
    accessor: string | null,
  ): number;
  /** Returns and clears the reason why the last statement was rejected, if it was. */
  takeDenial(): Failure | undefined;
}

/** SQLite calls it for each table, column and function of a statement while it compiles it. */
export function createAuthorizer(readable: ReadableNames): Authorizer {
  let denial: Failure | undefined;

  function deny(failure: Failure): number {
    denial ??= failure;
    return denied;
  }

  function mayRead(
    name: string,
    column: string | null,
    schema: string | null,
    accessor: string | null,
  ): boolean {
    const { schemas, views } = readable;
    if (schema === null) return !isReserved(name, readable);
    if (schema === "main") return isInMain(name, readable);
    if (schema === "temp") return views.has(name);
    // For `count(*)`, SQLite flattens the view first: it reports no column and no view.
    return schemas.has(schema) && (!column || views.has((accessor ?? "").toLowerCase()));
  }

  return {
    decide(action, first, second, schema, accessor) {
      if (action === actions.select || action === actions.recursive) return allowed;
      if (action === actions.function) {
        if (allowedFunctions.has((second ?? "").toLowerCase())) return allowed;
        return deny(invalid(`The function ${second} is not allowed.`));
      }
      if (action === actions.read) {
        if (mayRead((first ?? "").toLowerCase(), second, schema, accessor)) return allowed;
        return deny(invalid(`no such table: ${first}`));
      }
      return deny(writeDenied());
    },
    takeDenial() {
      const lastDenial = denial;
      denial = undefined;
      return lastDenial;
    },
  };
}

/** The schema of the data set's tables is readable; the schemas of attached files are not. */
const isInMain = (name: string, { tables }: ReadableNames): boolean =>
  tables.has(name) || allowedTableFunctions.has(name) || /^sqlite_(master|schema)$/.test(name);

/**
 * SQLite reports no schema for a CTE, nor for a table of which no column is read, as in `count(*)`.
 * Such a name is rejected only if it is one of SQLite's internal tables or modules.
 */
const isReserved = (name: string, readable: ReadableNames): boolean =>
  (/^(pragma|sqlite)_/.test(name) || readable.modules.has(name)) && !isInMain(name, readable);

export const writeDenied = (): Failure =>
  new Failure(
    "forbidden",
    "not-read-only",
    "statement is not read-only (rejected by the database engine)",
  );
