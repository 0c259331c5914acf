import type { RawDatabase, RawStatement } from "../database.ts";
import { makeAuthorizer } from "./authorizer.ts";
import { openConnection, quoted, unguarded } from "./connection.ts";
import { lentTableFunctions } from "./functions.ts";
import type { LoadJob, SetShape } from "./job.ts";
import { lendViews, openNamespace } from "./lent-views.ts";
import type { SqlRow } from "./set.ts";

/** One set in the memory of this process. */
export interface LoadedSet {
  change(job: Pick<LoadJob, "removed" | "added">): void;
  /** Compiles a statement, if it reads nothing but the set. */
  prepare(sql: string): RawStatement;
  close(): void;
}

export function openSet(shape: SetShape): LoadedSet {
  const db = openConnection(shape.tables);
  try {
    return loadedSet(db, shape);
  } catch (error) {
    db.close();
    throw error;
  }
}

function loadedSet(db: RawDatabase, { tables: schema, indexes, files }: SetShape): LoadedSet {
  const tables = tablesOf(db);
  const views = lendViews(db, files);
  const authorizer = makeAuthorizer({
    tables: new Set([...tables.keys()].map((name) => name.toLowerCase())),
    views: new Set([...views.keys()].map((name) => name.toLowerCase())),
    schemas: new Set(files.map((file) => file.schema)),
    modules: modulesOf(db),
  });
  const namespace = views.size > 0 ? openNamespace(schema, views, authorizer) : undefined;
  /** The rowids that the rows of a part have, by key and table: the first, and the one behind. */
  const ranges = new Map<string, Map<string, [number, number]>>();
  const nextIds = new Map<string, number>();
  let isIndexed = false;

  function remove(key: string): void {
    for (const [table, range] of ranges.get(key) ?? []) {
      db.prepare(`DELETE FROM ${quoted(table)} WHERE rowid >= ? AND rowid < ?`).run(...range);
    }
    ranges.delete(key);
  }

  function add({ key, rows }: LoadJob["added"][number], inserts: Map<string, RawStatement>): void {
    const held = new Map<string, [number, number]>();
    for (const [table, json] of Object.entries(rows)) {
      const insert = inserts.get(table);
      if (!insert) throw new Error(`There is no table ${table}.`);
      const first = nextIds.get(table) ?? 1;
      let next = first;
      for (const row of JSON.parse(json) as SqlRow[]) insert.run(next++, ...row);
      nextIds.set(table, next);
      held.set(table, [first, next]);
    }
    ranges.set(key, held);
  }

  return {
    change({ removed, added }) {
      unguarded(db, authorizer, () => {
        const inserts = new Map(
          [...tables].map(([name, columns]) => [name, insertInto(db, name, columns)]),
        );
        for (const key of removed) remove(key);
        for (const part of added) {
          remove(part.key);
          add(part, inserts);
        }
        if (!isIndexed) db.exec(indexes);
        isIndexed = true;
      });
    },
    prepare(sql) {
      authorizer.takeDenial();
      try {
        namespace?.prepare(sql);
        const statement = db.prepare(sql);
        statement.setReturnArrays(true);
        statement.setReadBigInts(true);
        return statement;
      } catch (error) {
        throw authorizer.takeDenial() ?? error;
      }
    },
    close() {
      namespace?.close();
      db.close();
    },
  };
}

/** The columns of each table that rows give, which are all but the generated ones. */
function tablesOf(db: RawDatabase): Map<string, string[]> {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Map(
    (names as { name: string }[]).map(({ name }) => [
      name,
      (db.prepare("SELECT name FROM pragma_table_info(?)").all(name) as { name: string }[]).map(
        (column) => column.name,
      ),
    ]),
  );
}

function modulesOf(db: RawDatabase): Set<string> {
  const rows = db.prepare("SELECT name FROM pragma_module_list").all() as { name: string }[];
  return new Set(rows.map(({ name }) => name).filter((name) => !lentTableFunctions.has(name)));
}

function insertInto(db: RawDatabase, table: string, columns: readonly string[]): RawStatement {
  const names = ["rowid", ...columns.map(quoted)];
  return db.prepare(`INSERT INTO ${quoted(table)} (${names}) VALUES (${names.map(() => "?")})`);
}
