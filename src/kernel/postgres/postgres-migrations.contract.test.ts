import { expect, test } from "vitest";
import { openTestClient, usesServer } from "../../../tests/postgres/test-database.ts";
import { migratePostgres, type PostgresMigration } from "./postgres-migrations.ts";
import type { SqlClient } from "./sql-client.ts";

const engine = usesServer ? "PostgreSQL" : "PGlite";

const first: PostgresMigration = { name: "notes", apply: "CREATE TABLE notes (text text)" };
const second: PostgresMigration = {
  name: "first note",
  apply: async (sql) => {
    await sql.run("INSERT INTO notes VALUES ($1)", ["hello"]);
  },
};

async function schemaOf(client: SqlClient): Promise<{ schema: string; user: string }> {
  const row = await client.get<{ schema: string }>("SELECT current_schema() AS schema");
  return { schema: row?.schema ?? "", user: "lectern" };
}

test(`[scale.migrations.once] ${engine} applies each migration once, although servers start together`, async () => {
  const client = await openTestClient();
  const home = await schemaOf(client);

  await Promise.all([1, 2, 3, 4].map(() => migratePostgres(client, home, [first, second])));
  await migratePostgres(client, home, [first, second]);

  expect(await client.all("SELECT * FROM notes")).toEqual([{ text: "hello" }]);
  expect(await client.all("SELECT number, name FROM migrations ORDER BY number")).toEqual([
    { number: 1, name: "notes" },
    { number: 2, name: "first note" },
  ]);
});

test(`[scale.migrations.whole] ${engine} keeps nothing of a migration that fails`, async () => {
  const client = await openTestClient();
  const home = await schemaOf(client);
  await migratePostgres(client, home, [first]);

  const migrating = migratePostgres(client, home, [
    first,
    second,
    { name: "broken", apply: "CREATE TABLE more (id int); SELECT * FROM missing" },
  ]);

  await expect(migrating).rejects.toThrow("42P01");
  expect(await client.all("SELECT * FROM notes")).toEqual([]);
  expect(await client.all("SELECT number FROM migrations")).toEqual([{ number: 1 }]);
});

test(`[scale.migrations.newer] ${engine} refuses tables of a newer version`, async () => {
  const client = await openTestClient();
  const home = await schemaOf(client);
  await migratePostgres(client, home, [first, second]);

  const migrating = migratePostgres(client, home, [first]);

  await expect(migrating).rejects.toMatchObject({ code: "newer-database" });
});
