import { Failure } from "../failure.ts";
import type { PostgresHome } from "./home-address.ts";
import { schemaMissing } from "./postgres-errors.ts";
import type { SqlClient, SqlRunner } from "./sql-client.ts";

/** A step from one version of the tables to the next. Its number is its place in the list, from 1. */
export interface PostgresMigration {
  name: string;
  /** A script, or work that reads rows too. */
  apply: string | ((sql: SqlRunner) => Promise<void>);
}

/**
 * Applies the migrations that the schema lacks, all or none. Servers that start together wait for each
 * other. The schema is created if the user may do so.
 */
export async function migratePostgres(
  client: SqlClient,
  { schema, user }: Pick<PostgresHome, "schema" | "user">,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  if ((await appliedCount(client, schema)) === migrations.length) return;
  await client.transaction(
    async (sql) => {
      await sql.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `lectern migrations of ${schema}`,
      ]);
      await createSchema(sql, schema, user);
      await sql.script(
        `CREATE TABLE IF NOT EXISTS ${schema}.migrations
          (number int PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
      );
      const count = await appliedCount(sql, schema);
      if (count > migrations.length) throw homeTooNew(schema);
      for (const [index, { name, apply }] of migrations.entries()) {
        if (index < count) continue;
        if (typeof apply === "string") await sql.script(apply);
        else await apply(sql);
        await sql.run("INSERT INTO migrations (number, name) VALUES ($1, $2)", [index + 1, name]);
      }
    },
    // Building an index can take hours.
    { statementDeadlineMs: 0 },
  );
}

async function appliedCount(sql: SqlRunner, schema: string): Promise<number> {
  const table = await sql.get<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    `${schema}.migrations`,
  ]);
  if (!table?.exists) return 0;
  const row = await sql.get<{ count: number }>(
    `SELECT coalesce(max(number), 0) AS count FROM ${schema}.migrations`,
  );
  return row?.count ?? 0;
}

async function createSchema(sql: SqlRunner, schema: string, user: string): Promise<void> {
  const row = await sql.get<{ exists: boolean; mayCreate: boolean }>(
    `SELECT to_regnamespace($1) IS NOT NULL AS exists,
       has_database_privilege(current_database(), 'CREATE') AS "mayCreate"`,
    [schema],
  );
  if (row?.exists) return;
  if (!row?.mayCreate) throw schemaMissing(schema, user);
  await sql.script(`CREATE SCHEMA ${schema}`);
}

export const homeTooNew = (schema: string): Failure =>
  new Failure(
    "unavailable",
    "newer-database",
    `The schema ${schema} was written by a newer version of Lectern.`,
    { hints: ["Update Lectern on this machine."] },
  );
