import type { RawDatabase, RawStatement } from "../storage/database.ts";
import { allowedTableFunctions } from "./allowed-functions.ts";
import { attachViews, openEmptyReplica } from "./attached-views.ts";
import { createAuthorizer } from "./authorizer.ts";
import { openSandboxConnection, quoteIdentifier, withWriteAccess } from "./connection.ts";
import type { SqlRow } from "./dataset.ts";
import type { DatasetShape, LoadJob } from "./job.ts";

/** A data set in the memory of this process. */
export interface LoadedDataset {
  applyChanges(job: Pick<LoadJob, "removed" | "added">): void;
  /** Compiles a statement. Throws if it reads anything outside the data set. */
  prepare(sql: string): RawStatement;
  close(): void;
}

export function openLoadedDataset(shape: DatasetShape): LoadedDataset {
  const db = openSandboxConnection(shape.tables);
  try {
    return createLoadedDataset(db, shape);
  } catch (error) {
    db.close();
    throw error;
  }
}

function createLoadedDataset(
  db: RawDatabase,
  { tables: schema, indexes, files }: DatasetShape,
): LoadedDataset {
  const tables = tablesOf(db);
  const views = attachViews(db, files);
  const authorizer = createAuthorizer({
    tables: new Set([...tables.keys()].map((name) => name.toLowerCase())),
    views: new Set([...views.keys()].map((name) => name.toLowerCase())),
    schemas: new Set(files.map((file) => file.schema)),
    modules: virtualTableModules(db),
  });
  const replica = views.size > 0 ? openEmptyReplica(schema, views, authorizer) : undefined;
  /** The rowid range [first, end) of each part's rows, by part and table. */
  const ranges = new Map<string, Map<string, [number, number]>>();
  const nextIds = new Map<string, number>();
  let isIndexed = false;

  function remove(key: string): void {
    for (const [table, range] of ranges.get(key) ?? []) {
      db.prepare(`DELETE FROM ${quoteIdentifier(table)} WHERE rowid >= ? AND rowid < ?`).run(
        ...range,
      );
    }
    ranges.delete(key);
  }

  function add({ key, rows }: LoadJob["added"][number], inserts: Map<string, RawStatement>): void {
    const addedRanges = new Map<string, [number, number]>();
    for (const [table, json] of Object.entries(rows)) {
      const insert = inserts.get(table);
      if (!insert) throw new Error(`There is no table ${table}.`);
      const first = nextIds.get(table) ?? 1;
      let next = first;
      for (const row of JSON.parse(json) as SqlRow[]) insert.run(next++, ...row);
      nextIds.set(table, next);
      addedRanges.set(table, [first, next]);
    }
    ranges.set(key, addedRanges);
  }

  return {
    applyChanges({ removed, added }) {
      withWriteAccess(db, authorizer, () => {
        const inserts = new Map(
          [...tables].map(([name, columns]) => [name, prepareInsert(db, name, columns)]),
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
        replica?.prepare(sql);
        const statement = db.prepare(sql);
        statement.setReturnArrays(true);
        statement.setReadBigInts(true);
        return statement;
      } catch (error) {
        throw authorizer.takeDenial() ?? error;
      }
    },
    close() {
      replica?.close();
      db.close();
    },
  };
}

/** The columns of each table, without generated ones (`table_info` does not list them). */
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

function virtualTableModules(db: RawDatabase): Set<string> {
  const rows = db.prepare("SELECT name FROM pragma_module_list").all() as { name: string }[];
  return new Set(rows.map(({ name }) => name).filter((name) => !allowedTableFunctions.has(name)));
}

function prepareInsert(db: RawDatabase, table: string, columns: readonly string[]): RawStatement {
  const names = ["rowid", ...columns.map(quoteIdentifier)];
  return db.prepare(
    `INSERT INTO ${quoteIdentifier(table)} (${names}) VALUES (${names.map(() => "?")})`,
  );
}
