import { expect, test } from "vitest";
import { openTestClient } from "../../../tests/postgres/test-database.ts";
import { shelves } from "../../shelves.ts";
import { allTables } from "../storage/all-tables.ts";
import { authoredTables, derivedTables, type OwnedTables } from "../storage/migrations.ts";
import { createHomeTables } from "./home-tables.ts";
import type { SqlClient } from "./sql-client.ts";

async function schemaOf(client: SqlClient): Promise<{ schema: string; user: string }> {
  const row = await client.get<{ schema: string; user: string }>(
    "SELECT current_schema() AS schema, current_user AS user",
  );
  return row ?? { schema: "", user: "" };
}

const lamps = (derived: string, ...steps: string[]): OwnedTables[] => [
  {
    owner: "documents",
    tables: derivedTables(1, `CREATE TABLE documents (root TEXT);\n${derived}`),
  },
  { owner: "lamps", tables: authoredTables(steps) },
];

const authored = "CREATE TABLE lamps (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);";

test("[scale.tables.all] the tables of the kernel and of every shelf can be created", async () => {
  const client = await openTestClient();
  const home = await schemaOf(client);

  await createHomeTables(client, home, allTables(shelves));
  await createHomeTables(client, home, allTables(shelves));

  const tables = await client.all<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  const names = tables.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["documents", "proposals", "changes", "revision"]));
  expect(await client.all("SELECT * FROM shown_documents($1)", [["a"]])).toEqual([]);
});

test("[scale.tables.steps] new steps are applied to authored tables, which keep their rows", async () => {
  const client = await openTestClient();
  const home = await schemaOf(client);
  await createHomeTables(client, home, lamps("", authored));
  await client.run("INSERT INTO lamps (name) VALUES ($1)", ["Eddystone"]);

  await createHomeTables(client, home, lamps("", authored, "ALTER TABLE lamps ADD height REAL;"));

  expect(await client.all("SELECT * FROM lamps")).toEqual([
    { id: 1, name: "Eddystone", height: null },
  ]);
  await expect(createHomeTables(client, home, lamps("", authored))).rejects.toMatchObject({
    code: "newer-database",
  });
});

test("[scale.tables.derived] derived tables are recreated when their definition changes", async () => {
  const client = await openTestClient();
  const home = await schemaOf(client);
  await createHomeTables(client, home, lamps("CREATE TABLE words (word TEXT);", authored));
  await client.run("INSERT INTO words VALUES ($1)", ["lamp"]);
  await client.run("INSERT INTO documents VALUES ($1)", ["notes"]);

  await createHomeTables(client, home, lamps("CREATE TABLE terms (term TEXT);", authored));

  expect(await client.all("SELECT * FROM terms")).toEqual([]);
  expect(await client.all("SELECT * FROM documents")).toEqual([]);
  expect(await client.get("SELECT to_regclass('words') AS found")).toEqual({ found: null });
});
