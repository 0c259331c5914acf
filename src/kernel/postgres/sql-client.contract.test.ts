import { expect, test } from "vitest";
import { openTestClient, usesServer } from "../../../tests/postgres/test-database.ts";
import { Failure } from "../failure.ts";
import { isUniqueViolation, SqlError } from "./sql-error.ts";

const engine = usesServer ? "PostgreSQL" : "PGlite";

test(`[scale.client.values] ${engine} returns each value as it was stored`, async () => {
  const client = await openTestClient();
  await client.script(
    "CREATE TABLE t (id bigint, text text, bytes bytea, flag boolean, json jsonb, list int[], real float8)",
  );
  const bytes = new Uint8Array([0, 255, 7]);
  const values = [2 ** 40, "naïve 😀 'quoted'", bytes, true, '{"a":[1]}', [1, 2], 0.5];

  const changes = await client.run("INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6, $7)", values);
  const row = await client.get<{ bytes: Uint8Array }>("SELECT * FROM t");

  expect(changes).toBe(1);
  expect({ ...row, bytes: [...(row?.bytes ?? [])] }).toEqual({
    id: 2 ** 40,
    text: "naïve 😀 'quoted'",
    bytes: [0, 255, 7],
    flag: true,
    json: { a: [1] },
    list: [1, 2],
    real: 0.5,
  });
  expect(await client.get("SELECT id FROM t WHERE text = $1", ["none"])).toBeUndefined();
});

test(`[scale.client.transaction] ${engine} stores a transaction as a whole or not at all`, async () => {
  const client = await openTestClient();
  await client.script("CREATE TABLE t (id int PRIMARY KEY)");
  await client.transaction(async (sql) => {
    await sql.run("INSERT INTO t VALUES ($1)", [1]);
    await sql.run("INSERT INTO t VALUES ($1)", [2]);
  });

  const failing = client.transaction(async (sql) => {
    await sql.run("INSERT INTO t VALUES ($1)", [3]);
    await sql.run("INSERT INTO t VALUES ($1)", [1]);
  });

  const error = await failing.catch((reason: unknown) => reason);
  expect(isUniqueViolation(error)).toBe(true);
  expect(await client.all("SELECT id FROM t ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
});

test(`[scale.client.read-only] ${engine} refuses a write in a read-only transaction`, async () => {
  const client = await openTestClient();
  await client.script("CREATE TABLE t (id int)");

  const writing = client.transaction((sql) => sql.run("INSERT INTO t VALUES ($1)", [1]), {
    readOnly: true,
  });

  await expect(writing).rejects.toBeInstanceOf(Failure);
  expect(await client.all("SELECT * FROM t")).toEqual([]);
});

test(`[scale.client.no-data] errors of ${engine} contain no parameter and no statement`, async () => {
  const client = await openTestClient();
  await client.script("CREATE TABLE t (id int PRIMARY KEY, name text UNIQUE)");
  await client.run("INSERT INTO t VALUES (1, $1)", ["private"]);
  const errors = await Promise.all([
    client.run("INSERT INTO t VALUES (2, $1)", ["private"]).catch((reason: Error) => reason),
    client.all("SELECT $1::text::int FROM t", ["private"]).catch((reason: Error) => reason),
  ]);

  for (const error of errors) {
    expect(error).toBeInstanceOf(SqlError);
    expect(JSON.stringify([String(error), error])).not.toMatch(/private|INSERT|SELECT/);
  }
});

test(`[scale.client.aborted] ${engine} runs nothing for a caller that has left`, async () => {
  const client = await openTestClient();
  await client.script("CREATE TABLE t (id int)");
  const signal = AbortSignal.abort(new Error("left"));

  const running = client.run("INSERT INTO t VALUES ($1)", [1], { signal });

  await expect(running).rejects.toThrow("left");
  expect(await client.all("SELECT * FROM t")).toEqual([]);
});

test(`[scale.client.extensions] ${engine} has vectors and BM25`, async () => {
  const client = await openTestClient();
  await client.script(`
    CREATE TABLE passages (id int, bag text, place halfvec(2));
    INSERT INTO passages VALUES (1, 'xa xb', '[1,0]'), (2, 'xb xc', '[0,1]');
    CREATE INDEX passages_bm25 ON passages USING bm25 (bag) WITH (text_config = 'simple')`);

  const [byWords] = await client.all(
    "SELECT id FROM passages ORDER BY bag <@> to_bm25query($1, 'passages_bm25') LIMIT 1",
    ["xc"],
  );
  const [byVector] = await client.all(
    "SELECT id FROM passages ORDER BY place <=> $1::halfvec LIMIT 1",
    ["[1,0]"],
  );

  expect([byWords, byVector]).toEqual([{ id: 2 }, { id: 1 }]);
});
