import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { objectsSet } from "../../../tests/fixtures/sql/sql-set.ts";
import { openDatabase } from "../storage/database.ts";
import type { AttachedFile } from "./dataset.ts";
import { type LoadedDataset, openLoadedDataset } from "./loaded-dataset.ts";
import { createSyncedDatasets } from "./synced-datasets.ts";

const folder = mkdtempSync(join(tmpdir(), "lectern-sql-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened: LoadedDataset[] = [];
afterEach(() => {
  for (const set of opened.splice(0)) set.close();
});

function loaded(files: readonly AttachedFile[] = []): LoadedDataset {
  const job = createSyncedDatasets().loadJobFor(objectsSet(2, { files }));
  if (!job?.shape) throw new Error("A new set is sent whole.");
  const set = openLoadedDataset(job.shape);
  opened.push(set);
  set.applyChanges(job);
  return set;
}

const rowsOf = (set: LoadedDataset, sql: string): unknown[] => [...set.prepare(sql).iterate()];

let stores = 0;

/** A file with a table, and a view of one of its columns. */
function storeFile(): AttachedFile {
  const path = join(folder, `store ${stores++} 100%.sqlite`);
  const db = openDatabase(path);
  db.exec("CREATE TABLE documents (id INTEGER PRIMARY KEY, path TEXT, secret TEXT)");
  db.exec("CREATE TABLE keys (value TEXT); INSERT INTO keys VALUES ('k')");
  db.exec("INSERT INTO documents VALUES (1, 'a.md', 's')");
  db.close();
  return { schema: "store", path, views: { docs: "SELECT id, path FROM store.documents" } };
}

test.each([
  "DELETE FROM objects",
  "WITH a AS (SELECT 1) DELETE FROM objects",
  "INSERT INTO edges DEFAULT VALUES",
  "UPDATE objects SET data = ''",
  "CREATE TABLE a (b)",
  "CREATE TEMP TABLE a (b)",
  "DROP TABLE objects",
  "PRAGMA query_only = OFF",
  "PRAGMA writable_schema = ON",
  "PRAGMA table_info(objects)",
  "ATTACH ':memory:' AS a",
  "BEGIN",
  "SAVEPOINT a",
  "ANALYZE",
  "REINDEX",
  "VACUUM INTO 'copy.db'",
  "EXPLAIN DELETE FROM objects",
  "ALTER TABLE objects ADD COLUMN a",
])("[objects.sql.guard] the connection itself refuses to write: %s", (sql) => {
  const set = loaded();
  const before = rowsOf(set, "SELECT * FROM objects");

  expect(() => set.prepare(sql).all()).toThrow(/not read-only|authorization denied/);
  expect(rowsOf(set, "SELECT * FROM objects")).toEqual(before);
});

test.each([
  "load_extension('a')",
  "fts3_tokenizer('simple')",
  "sqlite_log(1, 'a')",
  "LOAD_EXTENSION('a')",
  "readfile('a')",
  "writefile('a', 'b')",
  "edit('a')",
  "sqlite_compileoption_get(1)",
])("[objects.sql.functions] functions with side effects are refused: %s", (call) => {
  const set = loaded();

  expect(() => set.prepare(`SELECT ${call}`)).toThrow(/is not allowed|no such function/);
});

test.each([
  ["SELECT abs(-1), lower('A'), round(1.6), printf('%d', 2), coalesce(NULL, 3)"],
  ["SELECT json_extract(data, '$.watt'), data ->> 'watt', data -> 'colours' FROM objects"],
  ["SELECT key, value FROM objects, json_each(data) WHERE key GLOB 'w*'"],
  ["SELECT fullkey FROM objects, json_tree(objects.data)"],
  ["SELECT count(*), sum(__line), group_concat(__id), json_group_array(__id) FROM objects"],
  ["SELECT row_number() OVER (ORDER BY __id), lag(__id) OVER () FROM objects"],
  ["SELECT date('now'), strftime('%Y', CURRENT_TIMESTAMP), unixepoch()"],
  [
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT count(*) FROM n",
  ],
  ["SELECT __id FROM objects WHERE __label LIKE '%lamp%' AND __id IN (SELECT __id FROM objects)"],
  [
    "SELECT s.__id, t.__id FROM edges e JOIN objects s ON e.source_id = s.__global_id LEFT JOIN objects t ON e.target_id = t.__global_id",
  ],
  ["SELECT __kind, count(*) AS n FROM objects GROUP BY 1 HAVING n > 1 ORDER BY n DESC LIMIT 3"],
  ["SELECT 1 UNION SELECT 2 EXCEPT SELECT 1 INTERSECT SELECT 2"],
  ["SELECT name, sql FROM sqlite_schema"],
])("[objects.sql.computes] pure functions are available: %s", (sql) => {
  expect(rowsOf(loaded(), sql).length).toBeGreaterThan(0);
});

test.each([
  "SELECT * FROM pragma_table_info('objects')",
  "SELECT count(*) FROM pragma_database_list",
  "SELECT * FROM PRAGMA_function_list",
  "SELECT * FROM dbstat",
  "SELECT count(*) FROM DBSTAT",
  "SELECT * FROM fts3tokenize",
  "SELECT * FROM sqlite_temp_master",
  "SELECT count(*) FROM sqlite_temp_schema",
  "SELECT count(*) FROM temp.sqlite_schema",
])("[objects.sql.internals] SQLite's internal tables are hidden: %s", (sql) => {
  expect(() => rowsOf(loaded([storeFile()]), sql)).toThrow("no such table");
});

test("[objects.sql.views] an attached file can be queried through its views, together with the tables", () => {
  const set = loaded([storeFile()]);

  expect(rowsOf(set, "SELECT * FROM docs")).toEqual([[1n, "a.md"]]);
  expect(rowsOf(set, "SELECT count(*) FROM docs")).toEqual([[1n]]);
  expect(
    rowsOf(set, "WITH d AS (SELECT path FROM Docs) SELECT d.path FROM d, objects"),
  ).toHaveLength(4);
  expect(rowsOf(set, "EXPLAIN QUERY PLAN SELECT * FROM temp.docs")).toHaveLength(1);
});

test.each([
  "SELECT * FROM documents",
  "SELECT count(*) FROM documents",
  "SELECT * FROM store.documents",
  "SELECT count(*) FROM store.keys",
  "SELECT secret FROM docs",
  "WITH docs AS (SELECT * FROM documents) SELECT secret FROM docs",
  "WITH docs AS (SELECT count(*) FROM keys) SELECT * FROM docs",
  "WITH docs AS (SELECT value FROM keys), d AS (SELECT * FROM docs) SELECT * FROM d",
  'WITH "DOCS" AS (SELECT * FROM store.keys) SELECT * FROM "DOCS"',
  "SELECT (SELECT secret FROM documents) FROM docs",
  "SELECT * FROM docs WHERE EXISTS (SELECT 1 FROM keys)",
  "SELECT * FROM store.sqlite_schema",
  "SELECT count(*) FROM store.sqlite_master",
  "WITH docs AS (SELECT * FROM store.sqlite_master) SELECT * FROM docs",
  "EXPLAIN SELECT * FROM keys",
])("[objects.sql.views-only] only the views of an attached file are accessible: %s", (sql) => {
  const set = loaded([storeFile()]);

  expect(() => rowsOf(set, sql)).toThrow(/no such (table|column)/);
  expect(rowsOf(set, "SELECT path FROM docs")).toEqual([["a.md"]]);
});

test("[objects.sql.views-fresh] a view shows what others write to its file", () => {
  const store = storeFile();
  const set = loaded([store]);
  const db = openDatabase(store.path);
  db.run("INSERT INTO documents VALUES (2, 'b.md', '')");
  db.close();

  expect(rowsOf(set, "SELECT path FROM docs")).toEqual([["a.md"], ["b.md"]]);
});

test("[objects.sql.views-missing] an attached file that is unavailable is reported without its path", () => {
  const store = { ...storeFile(), path: join(folder, "none.sqlite") };

  expect(() => loaded([store])).toThrow("A view cannot be read at the moment.");
});
