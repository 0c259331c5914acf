import { shorten } from "../../text/strings/shorten.ts";
import { splitStatements } from "../sql/read-only-statement.ts";
import type { RawDatabase } from "../storage/database.ts";
import { assertPlainColumns, assertPlainIndexes } from "./column-checks.ts";
import { assertPlainDefinition } from "./definition-checks.ts";
import { unsafeDatabase } from "./unsafe-database.ts";

/** What a schema may contain besides plain tables and indexes. */
export interface SchemaRules {
  /** The `CREATE VIEW` statements of the programs that create such files. */
  readonly views: readonly string[];
  /** Lectern's own tables. Another definition of one could change the meaning of the data. */
  readonly own?: OwnTables;
}

interface OwnTables {
  /** The prefix of their names. */
  readonly prefix: string;
  /** Their CREATE statements in all versions. */
  readonly definitions: readonly string[];
  /** Whether a newer version wrote the file. Such a file is opened read-only. */
  isNewer(db: RawDatabase): boolean;
}

interface SchemaRow {
  type: string;
  name: string;
  tbl_name: string;
  rootpage: number | null;
  sql: string | null;
}

/** Real projects have about thirty objects. */
const maxObjects = 1_000;
const maxSchemaLength = 500_000;

/**
 * Rejects a schema that could run statements, evaluate expressions or shadow other objects. The
 * message names the object.
 */
export function assertPlainSchema(db: RawDatabase, { views, own }: SchemaRules): void {
  const rows = readSchema(db);
  assertUniqueObjects(rows);
  const knownViews = new Set(views.map(normaliseSql));
  for (const row of rows) {
    if (row.type === "trigger") throw unsafeObject(row, `on table ${printableName(row.tbl_name)}`);
    if (row.type === "view") {
      if (!knownViews.has(normaliseSql(row.sql ?? ""))) throw unsafeObject(row);
    } else assertPlainObject(row);
  }
  for (const { type, name } of tableList(db)) {
    const label = `the table ${printableName(name)}`;
    if (type !== "table" && type !== "view") throw unsafeDatabase(`It contains ${label} (${type})`);
  }
  for (const { name } of listPlainTables(db)) {
    const label = `the table ${printableName(name)}`;
    assertPlainColumns(db, name, label);
    assertPlainIndexes(db, name, label);
  }
  // `isNewer` reads rows, which is not safe before the checks above.
  if (own && !own.isNewer(db)) assertOwnTablesIntact(rows, own);
}

function assertPlainObject(row: SchemaRow): void {
  const { type, name, sql } = row;
  if (type === "table") assertNameAllowed(row);
  const isAutomatic = type === "index" && sql === null && /^sqlite_autoindex_/i.test(name);
  if (isAutomatic) return;
  if ((type !== "table" && type !== "index") || sql === null) throw unsafeObject(row);
  assertPlainDefinition(type, sql, describeObject(row));
}

function assertOwnTablesIntact(
  rows: readonly SchemaRow[],
  { prefix, definitions }: OwnTables,
): void {
  const known = new Set(definitions.map(normaliseSql));
  for (const row of rows) {
    const isOwn = row.tbl_name.toLowerCase().startsWith(prefix) && row.sql !== null;
    if (!isOwn || known.has(normaliseSql(row.sql ?? ""))) continue;
    throw unsafeObject(row, "with a definition that is not Lectern's");
  }
}

function readSchema(db: RawDatabase): SchemaRow[] {
  const { count, length } = db
    .prepare("SELECT count(*) AS count, total(length(sql)) AS length FROM main.sqlite_schema")
    .get() as { count: number; length: number };
  if (count > maxObjects) throw unsafeDatabase(`It contains more than ${maxObjects} tables`);
  if (length > maxSchemaLength) throw unsafeDatabase("Its schema is too long");
  return db
    .prepare("SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_schema")
    .all() as SchemaRow[];
}

const tableList = (db: RawDatabase): { type: string; name: string }[] =>
  (
    db.prepare("PRAGMA main.table_list").all() as { schema: string; type: string; name: string }[]
  ).filter(({ schema }) => schema === "main");

/** The plain tables, without SQLite's internal ones. */
export const listPlainTables = (db: RawDatabase): { name: string }[] =>
  tableList(db).filter(({ type, name }) => type === "table" && !/^sqlite_/i.test(name));

/** Two objects with the same name or root page would overwrite each other. */
function assertUniqueObjects(rows: readonly SchemaRow[]): void {
  const names = new Set<string>();
  const pages = new Set<number>();
  for (const row of rows) {
    const name = row.name.toLowerCase();
    if (names.has(name)) throw unsafeObject(row, "twice");
    names.add(name);
    if (!row.rootpage) continue;
    if (pages.has(row.rootpage)) throw unsafeObject(row, "on the root page of another one");
    pages.add(row.rootpage);
  }
}

/** Rejects the names of table-valued functions and of SQLite's internal tables. */
function assertNameAllowed(row: SchemaRow): void {
  const name = row.name.toLowerCase();
  const isReserved = /^(pragma_|json_|jsonb_|generate_series$|bytecode$|tables_used$|dbstat$)/;
  const isUnknown = name.startsWith("sqlite_") && !/^sqlite_(sequence|stat[134])$/.test(name);
  if (isReserved.test(name) || isUnknown) throw unsafeObject(row, "whose name is reserved");
}

const unsafeObject = (row: SchemaRow, more = "") =>
  unsafeDatabase(`It contains ${describeObject(row)}${more && ` ${more}`}`);

const describeObject = ({ type, name }: SchemaRow): string =>
  `the ${printableName(type, "")} ${printableName(name)}`;

/** An untrusted name, without control characters and shortened for messages. */
const printableName = (name: string, mark = "'"): string =>
  `${mark}${shorten(name.replace(/\p{Cc}/gu, "?"))}${mark}`;

/** Makes statements equal that differ only in whitespace, comments, letter case and quotes. */
function normaliseSql(sql: string): string {
  const statements = splitStatements(sql).map(({ tokens }) =>
    tokens.map((token) => (token.startsWith("'") ? token : unquoteToken(token))).join(" "),
  );
  return statements.join(" ; ");
}

const unquoteToken = (token: string): string =>
  token.replace(/^["`[](.*)["`\]]$/s, "$1").toLowerCase();
