import { sha256Hex } from "../files/hashes.ts";
import type { OwnedTables } from "../storage/migrations.ts";
import { toPostgresTables } from "./dialect.ts";
import type { PostgresHome } from "./home-address.ts";
import { homeTooNew, migratePostgres } from "./postgres-migrations.ts";
import type { SqlClient, SqlRunner } from "./sql-client.ts";

/** What only a home on PostgreSQL has. */
export const homeTables = `
  -- The number of changes of the index; a user version in SQLite.
  CREATE TABLE revision (number bigint NOT NULL);
  INSERT INTO revision VALUES (0);
  -- The configuration as JSON; a file in a home on SQLite. The version increases with each change.
  CREATE TABLE configuration (version bigint NOT NULL, content text NOT NULL);
  INSERT INTO configuration VALUES (0, '{}');`;

/** What was created, by name. */
const recordTable = "CREATE TABLE table_records (name text PRIMARY KEY, state text NOT NULL);";

const migrations = [{ name: "the home", apply: homeTables + recordTable }];

/** The documents of these roots; `dialect.ts` uses it under a force root. */
const shownDocuments = `
  CREATE OR REPLACE FUNCTION shown_documents(roots text[]) RETURNS SETOF documents
  LANGUAGE sql STABLE AS 'SELECT * FROM documents WHERE root = ANY (roots)';`;

/**
 * Creates the tables of the kernel and of all shelves, or brings them up to date; see
 * `storage/migrations.ts`. Servers that start together wait for each other.
 */
export async function createHomeTables(
  client: SqlClient,
  home: Pick<PostgresHome, "schema" | "user">,
  owned: readonly OwnedTables[],
): Promise<void> {
  await migratePostgres(client, home, migrations);
  const fingerprint = sha256Hex(JSON.stringify(owned));
  if ((await readRecord(client, "all tables")) === fingerprint) return;
  await client.transaction(
    async (sql) => {
      if ((await readRecord(sql, "all tables")) === fingerprint) return;
      await recreateDerived(sql, owned);
      for (const { owner, tables } of owned) {
        if (tables.kind === "authored") await applySteps(sql, owner, tables.steps, home.schema);
      }
      await sql.script(shownDocuments);
      await writeRecord(sql, "all tables", fingerprint);
    },
    {
      lock: { name: `lectern tables of ${home.schema}`, waitMs: 0 },
      statementDeadlineMs: 0,
    },
  );
}

async function recreateDerived(sql: SqlRunner, owned: readonly OwnedTables[]): Promise<void> {
  const scripts = owned.flatMap(({ tables }) => (tables.kind === "derived" ? tables.create : []));
  const versions = owned.map(({ tables }) => tables.kind === "derived" && tables.version);
  const fingerprint = sha256Hex(JSON.stringify([scripts, versions]));
  if ((await readRecord(sql, "derived tables")) === fingerprint) return;
  // The names were recorded by the last run, so tables without a definition are dropped too.
  const former: string[] = JSON.parse((await readRecord(sql, "derived names")) ?? "[]");
  for (const name of former) await sql.script(`DROP TABLE IF EXISTS ${name} CASCADE`);
  for (const script of scripts) await sql.script(toPostgresTables(script));
  const names = scripts.flatMap((script) =>
    [...script.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name),
  );
  await writeRecord(sql, "derived names", JSON.stringify(names));
  await writeRecord(sql, "derived tables", fingerprint);
}

async function applySteps(
  sql: SqlRunner,
  owner: string,
  steps: readonly string[],
  schema: string,
): Promise<void> {
  const record = `steps of ${owner}`;
  const applied = Number((await readRecord(sql, record)) ?? 0);
  if (applied > steps.length) throw homeTooNew(schema);
  if (applied === steps.length) return;
  for (const step of steps.slice(applied)) await sql.script(toPostgresTables(step));
  await writeRecord(sql, record, String(steps.length));
}

async function readRecord(sql: SqlRunner, name: string): Promise<string | undefined> {
  const row = await sql.get<{ state: string }>("SELECT state FROM table_records WHERE name = $1", [
    name,
  ]);
  return row?.state;
}

async function writeRecord(sql: SqlRunner, name: string, state: string): Promise<void> {
  await sql.run(
    `INSERT INTO table_records VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET state = excluded.state`,
    [name, state],
  );
}
