import { expect, test } from "vitest";
import { Failure } from "../failure.ts";
import { parseReadOnlyStatement } from "./read-only-statement.ts";

function refusalOf(sql: string): { code: string; message: string } {
  try {
    parseReadOnlyStatement(sql);
  } catch (error) {
    if (error instanceof Failure) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error(`It was let through: ${sql}`);
}

const kindOf = (sql: string): string | undefined => {
  const { code, message } = refusalOf(sql);
  expect(code).toBe("not-read-only");
  return /^statement is not read-only: (\w+)$/.exec(message)?.[1];
};

test.each([
  ["SELECT 1", "SELECT 1"],
  ["  ;; SELECT 1 ;; -- done", "SELECT 1"],
  ["\ufeffVALUES (1)", "VALUES (1)"],
  ["/* DELETE; */ SELECT ';' -- ; DROP\n, 2;", "SELECT ';' -- ; DROP\n, 2"],
  ["SELECT 'it''s; DELETE', \"a;b\", [c;d], `e;f`", undefined],
  ["WITH a AS (SELECT 1), b(x) AS MATERIALIZED (SELECT 2) SELECT * FROM a, b", undefined],
  ["WITH replace AS (SELECT 1) SELECT * FROM replace", undefined],
  ["EXPLAIN QUERY PLAN SELECT 1", undefined],
  ["EXPLAIN WITH a AS (SELECT 1) SELECT * FROM a", undefined],
  ["SELECT replace('a', 'b', 'c')", undefined],
])("[objects.sql.reads] read-only statements are run unchanged: %s", (sql, kept = sql) => {
  expect(parseReadOnlyStatement(sql)).toBe(kept);
});

test.each([
  ["DELETE FROM objects", "Delete"],
  ["-- SELECT\ndelete/**/from objects", "Delete"],
  ["WITH a AS (SELECT 1) DELETE FROM objects", "Delete"],
  ["WITH a(x) AS (SELECT (1)), b AS (SELECT ')') INSERT INTO objects SELECT * FROM a", "Insert"],
  ["EXPLAIN DELETE FROM objects", "Delete"],
  ["explain query plan update objects set data = ''", "Update"],
  ["REPLACE INTO objects VALUES (1)", "Insert"],
  ["INSERT INTO objects DEFAULT VALUES", "Insert"],
  ["CREATE TABLE a (b)", "CreateTable"],
  ["CREATE TEMP TABLE a AS SELECT 1", "CreateTable"],
  ["CREATE UNIQUE INDEX a ON b (c)", "CreateIndex"],
  ["CREATE TEMPORARY VIEW a AS SELECT 1", "CreateView"],
  ["CREATE VIRTUAL TABLE a USING fts5 (b)", "CreateVirtualTable"],
  ["CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END", "CreateTrigger"],
  ["DROP TABLE objects", "Drop"],
  ["ALTER TABLE objects RENAME TO o", "AlterTable"],
  ["PRAGMA query_only = OFF", "Pragma"],
  ["ATTACH 'a.db' AS a", "Attach"],
  ["DETACH a", "Detach"],
  ["BEGIN", "Begin"],
  ["END", "Commit"],
  ["COMMIT", "Commit"],
  ["ROLLBACK", "Rollback"],
  ["SAVEPOINT a", "Savepoint"],
  ["RELEASE a", "Release"],
  ["VACUUM INTO 'a.db'", "Vacuum"],
  ["REINDEX", "Reindex"],
  ["ANALYZE", "Analyze"],
  ["TRUNCATE TABLE objects", "Truncate"],
])(
  "[objects.sql.not-read-only] a statement that does more than read is refused as not read-only: %s",
  (sql, kind) => {
    expect(kindOf(sql)).toBe(kind);
  },
);

test.each(["", " \n\t", ";", "-- nothing", "/* open"])(
  "[objects.sql.empty] input without a statement is reported as empty: %j",
  (sql) => {
    expect(refusalOf(sql)).toEqual({ code: "invalid-argument", message: "empty SQL statement" });
  },
);

test("[objects.sql.one-statement] a second statement is refused, with the code for writing if it writes", () => {
  expect(refusalOf("SELECT 1; SELECT 2").code).toBe("invalid-argument");
  expect(kindOf("SELECT 1; DELETE FROM objects")).toBe("Delete");
  expect(kindOf("SELECT 1;/**/;PRAGMA a")).toBe("Pragma");
});

test("[objects.sql.odd-texts] U+0000, parameters and oversized texts are refused before anything runs", () => {
  expect(refusalOf("SELECT 1 \0; DELETE FROM objects").message).toContain("U+0000");
  for (const parameter of ["?", "?1", ":id", "@id", "$id"]) {
    expect(refusalOf(`SELECT ${parameter}`).message).toContain(
      `parameter ${parameter} has no value`,
    );
  }
  expect(parseReadOnlyStatement("SELECT data ->> '$.a', ':b', \"?\" FROM objects")).toContain(
    "$.a",
  );
  expect(refusalOf(`SELECT ${"1,".repeat(60_000)}1`).code).toBe("too-large");
});
