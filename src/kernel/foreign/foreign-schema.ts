import { shorten } from "../../text/shorten.ts";
import type { RawDatabase } from "../database.ts";
import { statementsIn } from "../sql/statement.ts";
import { refuseStrangeColumns, refuseStrangeIndexes } from "./foreign-columns.ts";
import { refuseStrangeDefinition } from "./foreign-definition.ts";
import { unsafeDatabase } from "./unsafe.ts";

/** What a schema may hold beside plain tables and their indexes. */
export interface SchemaRules {
  /** `CREATE VIEW` statements of the programs that make such files. */
  readonly views: readonly string[];
  /** Tables of our own; others could make what is written to them mean something else. */
  readonly own?: OwnTables;
}

interface OwnTables {
  /** How their names begin. */
  readonly prefix: string;
  /** All statements that made them, in each version. */
  readonly definitions: readonly string[];
  /** Whether a newer version wrote the file, which then is only read. */
  isNewer(db: RawDatabase): boolean;
}

interface SchemaRow {
  type: string;
  name: string;
  tbl_name: string;
  rootpage: number | null;
  sql: string | null;
}

/** Projects have about thirty objects. */
const maxObjects = 1_000;
const maxSchemaLength = 500_000;

/**
 * Refuses a schema that could do something by itself: run statements, compute values, or be read as
 * something else than it is. The message names the object.
 */
export function refuseStrangeSchema(db: RawDatabase, { views, own }: SchemaRules): void {
  const rows = schemaOf(db);
  refuseTwins(rows);
  const knownViews = new Set(views.map(comparable));
  for (const row of rows) {
    if (row.type === "trigger") throw refused(row, `on table ${quoted(row.tbl_name)}`);
    if (row.type === "view") {
      if (!knownViews.has(comparable(row.sql ?? ""))) throw refused(row);
    } else refuseStrangeRow(row);
  }
  for (const { type, name } of tableList(db)) {
    const titled = `the table ${quoted(name)}`;
    if (type !== "table" && type !== "view") throw unsafeDatabase(`It holds ${titled} (${type})`);
    if (type === "view" || /^sqlite_/i.test(name)) continue;
    refuseStrangeColumns(db, name, titled);
    refuseStrangeIndexes(db, name, titled);
  }
  // Only now is it safe to read a row of a table.
  if (own && !own.isNewer(db)) refuseForgedTables(rows, own);
}

function refuseStrangeRow(row: SchemaRow): void {
  const { type, name, sql } = row;
  if (type === "table") refuseReservedName(row);
  const isAutomatic = type === "index" && sql === null && /^sqlite_autoindex_/i.test(name);
  if (isAutomatic) return;
  if ((type !== "table" && type !== "index") || sql === null) throw refused(row);
  refuseStrangeDefinition(type, sql, titled(row));
}

function refuseForgedTables(rows: readonly SchemaRow[], { prefix, definitions }: OwnTables): void {
  const known = new Set(definitions.map(comparable));
  for (const row of rows) {
    const isOurs = row.tbl_name.toLowerCase().startsWith(prefix) && row.sql !== null;
    if (!isOurs || known.has(comparable(row.sql ?? ""))) continue;
    throw refused(row, "with a definition that is not Lectern's");
  }
}

function schemaOf(db: RawDatabase): SchemaRow[] {
  const { count, length } = db
    .prepare("SELECT count(*) AS count, total(length(sql)) AS length FROM main.sqlite_schema")
    .get() as { count: number; length: number };
  if (count > maxObjects) throw unsafeDatabase(`It holds more than ${maxObjects} tables`);
  if (length > maxSchemaLength) throw unsafeDatabase("Its schema is too long");
  return db
    .prepare("SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_schema")
    .all() as SchemaRow[];
}

const tableList = (db: RawDatabase): { type: string; name: string }[] =>
  (
    db.prepare("PRAGMA main.table_list").all() as { schema: string; type: string; name: string }[]
  ).filter(({ schema }) => schema === "main");

/** Two objects of one name, or in one place of the file, would change each other. */
function refuseTwins(rows: readonly SchemaRow[]): void {
  const names = new Set<string>();
  const pages = new Set<number>();
  for (const row of rows) {
    const name = row.name.toLowerCase();
    if (names.has(name)) throw refused(row, "twice");
    names.add(name);
    if (!row.rootpage) continue;
    if (pages.has(row.rootpage)) throw refused(row, "in the place of another");
    pages.add(row.rootpage);
  }
}

/** Names under which SQL finds functions that give tables, and what SQLite keeps for itself. */
function refuseReservedName(row: SchemaRow): void {
  const name = row.name.toLowerCase();
  const isReserved = /^(pragma_|json_|jsonb_|generate_series$|bytecode$|tables_used$|dbstat$)/;
  const isUnknown = name.startsWith("sqlite_") && !/^sqlite_(sequence|stat[134])$/.test(name);
  if (isReserved.test(name) || isUnknown) throw refused(row, "whose name is reserved");
}

const refused = (row: SchemaRow, more = "") =>
  unsafeDatabase(`It holds ${titled(row)}${more && ` ${more}`}`);

const titled = ({ type, name }: SchemaRow): string => `the ${quoted(type, "")} ${quoted(name)}`;

/** A name as strangers chose it, fit to be shown. */
const quoted = (name: string, mark = "'"): string =>
  `${mark}${shorten(name.replace(/\p{Cc}/gu, "?"))}${mark}`;

/** Statements that differ in blanks, comments, cases of letters and quotes are the same. */
function comparable(sql: string): string {
  const statements = statementsIn(sql).map(({ tokens }) =>
    tokens.map((token) => (token.startsWith("'") ? token : bare(token))).join(" "),
  );
  return statements.join(" ; ");
}

const bare = (token: string): string => token.replace(/^["`[](.*)["`\]]$/s, "$1").toLowerCase();
