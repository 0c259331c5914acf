import { pathToFileURL } from "node:url";
import type { RawDatabase } from "../database.ts";
import type { Authorizer } from "./authorizer.ts";
import { guard, openConnection, quoted } from "./connection.ts";
import { unreadableView } from "./refusal.ts";
import type { LentFile } from "./set.ts";

/** Attaches the files, makes the views and tells their columns. */
export function lendViews(db: RawDatabase, files: readonly LentFile[]): Map<string, string[]> {
  const columns = new Map<string, string[]>();
  for (const { schema, path, views } of files) {
    try {
      const address = `${pathToFileURL(path).href}?mode=ro`;
      db.prepare(`ATTACH ? AS ${quoted(schema)}`).run(address);
      for (const [name, select] of Object.entries(views)) {
        db.exec(`CREATE TEMP VIEW ${quoted(name)} AS ${select}`);
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
    .prepare(`SELECT * FROM temp.${quoted(view)}`)
    .columns()
    .map(({ name }) => name);

/**
 * A connection with the same names and nothing behind them. SQLite tells the authorizer which view
 * reads a table, but a WITH of the view's name looks the same to it. So a statement is compiled here
 * first: where the tables of lent files do not exist, it cannot have meant them.
 */
export function openNamespace(
  tables: string,
  views: ReadonlyMap<string, string[]>,
  authorizer: Authorizer,
): RawDatabase {
  const db = openConnection(tables);
  for (const [name, columns] of views) {
    const nothing = columns.map((column) => `NULL AS ${quoted(column)}`);
    db.exec(`CREATE TEMP VIEW ${quoted(name)} AS SELECT ${nothing}`);
  }
  db.exec("PRAGMA query_only = ON");
  guard(db, authorizer);
  return db;
}
