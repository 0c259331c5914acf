import { Failure, invalid } from "../failure.ts";
import { lentFunctions, lentTableFunctions } from "./functions.ts";

/** SQLite's numbers for what a statement is about to do. */
const actions = { read: 20, select: 21, function: 31, recursive: 33 };
const allowed = 0;
const denied = 1;

export interface LentNames {
  tables: ReadonlySet<string>;
  views: ReadonlySet<string>;
  /** The names under which lent files are attached. */
  schemas: ReadonlySet<string>;
  /** Virtual tables of this SQLite, which are there without being made. */
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
  /** Why the last statement was refused, if it was; asking forgets it. */
  takeDenial(): Failure | undefined;
}

/** SQLite asks it about each table, column and function of a statement while it compiles it. */
export function makeAuthorizer(lent: LentNames): Authorizer {
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
    if (schema === null) return !isReserved(name, lent);
    if (schema === "main") return isInMain(name, lent);
    if (schema === "temp") return lent.views.has(name);
    // Where only rows are counted, SQLite has dissolved the view before it asks.
    return lent.schemas.has(schema) && (!column || lent.views.has((accessor ?? "").toLowerCase()));
  }

  return {
    decide(action, first, second, schema, accessor) {
      if (action === actions.select || action === actions.recursive) return allowed;
      if (action === actions.function) {
        if (lentFunctions.has((second ?? "").toLowerCase())) return allowed;
        return deny(invalid(`The function ${second} cannot be used here.`));
      }
      if (action === actions.read) {
        if (mayRead((first ?? "").toLowerCase(), second, schema, accessor)) return allowed;
        return deny(invalid(`no such table: ${first}`));
      }
      return deny(rejected());
    },
    takeDenial() {
      const taken = denial;
      denial = undefined;
      return taken;
    },
  };
}

/** The schema of the tables that were lent is no secret; that of other files is. */
const isInMain = (name: string, { tables }: LentNames): boolean =>
  tables.has(name) || lentTableFunctions.has(name) || /^sqlite_(master|schema)$/.test(name);

/**
 * A table of which no column is read, as for `count(*)`, comes without a schema, and so does the
 * name of a WITH. It is refused only where it names something of SQLite's own.
 */
const isReserved = (name: string, lent: LentNames): boolean =>
  (/^(pragma|sqlite)_/.test(name) || lent.modules.has(name)) && !isInMain(name, lent);

export const rejected = (): Failure =>
  new Failure(
    "forbidden",
    "not-read-only",
    "statement is not read-only (rejected by the database engine)",
  );
