import { pathToFileURL } from "node:url";
import type { RawDatabase } from "../storage/database.ts";
import type { Authorizer } from "./authorizer.ts";
import { installAuthorizer, openSandboxConnection, quoteIdentifier } from "./connection.ts";
import type { AttachedFile } from "./dataset.ts";
import { unreadableView } from "./sql-errors.ts";

/** Attaches the files and creates their views. Returns the columns of each view. */
export function attachViews(
  db: RawDatabase,
  files: readonly AttachedFile[],
): Map<string, string[]> {
  const columns = new Map<string, string[]>();
  for (const { schema, path, views } of files) {
    try {
      const uri = `${pathToFileURL(path).href}?mode=ro`;
      db.prepare(`ATTACH ? AS ${quoteIdentifier(schema)}`).run(uri);
      for (const [name, select] of Object.entries(views)) {
        db.exec(`CREATE TEMP VIEW ${quoteIdentifier(name)} AS ${select}`);
        columns.set(name, columnsOf(db, name));
      }
    } catch (error) {
      throw unreadableView(error);
    }
  }
  return columns;
}

const columnsOf = (db: RawDatabase, view: string): string[] =>
  db
    .prepare(`SELECT * FROM temp.${quoteIdentifier(view)}`)
    .columns()
    .map(({ name }) => name);

/**
 * A connection with the same tables and views, but without data or attached files. SQLite reports
 * to the authorizer which view reads a table, but a CTE with the name of a view is reported in the
 * same way. A statement is therefore compiled here first. It fails if it names a table of an
 * attached file directly, because that table does not exist here.
 */
export function openEmptyReplica(
  tables: string,
  views: ReadonlyMap<string, string[]>,
  authorizer: Authorizer,
): RawDatabase {
  const db = openSandboxConnection(tables);
  for (const [name, columns] of views) {
    const nulls = columns.map((column) => `NULL AS ${quoteIdentifier(column)}`);
    db.exec(`CREATE TEMP VIEW ${quoteIdentifier(name)} AS SELECT ${nulls}`);
  }
  db.exec("PRAGMA query_only = ON");
  installAuthorizer(db, authorizer);
  return db;
}
