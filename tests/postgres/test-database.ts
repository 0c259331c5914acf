import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { type PostgresHome, parsePostgresAddress } from "../../src/kernel/postgres/home-address.ts";
import {
  openPostgres,
  type PostgresDatabase,
  type PostgresOptions,
} from "../../src/kernel/postgres/postgres-client.ts";
import type { SqlClient } from "../../src/kernel/postgres/sql-client.ts";
import { sharedServerVariable, whyNoPostgres } from "../runner/shared-postgres.ts";

/** Whether this run uses a real server; the quick tests use PGlite. */
export const usesServer = process.env.LECTERN_TEST_ENGINE === "postgres" && !whyNoPostgres;

/** A new schema of the server or of PGlite, which is dropped after the test. */
export async function openTestClient(): Promise<SqlClient> {
  if (usesServer) return (await openTestDatabase()).primary;
  const { openPgliteClient } = await import("./pglite-client.ts");
  const home = testHome("postgresql://lectern@localhost/lectern");
  const client = await openPgliteClient(home);
  await client.script(`CREATE SCHEMA ${home.schema}`);
  onTestFinished(() => client.script(`DROP SCHEMA ${home.schema} CASCADE`));
  return client;
}

/** A new schema of the shared server. */
export async function openTestDatabase(options?: PostgresOptions): Promise<PostgresDatabase> {
  const home = testHome(serverAddress());
  const database = openPostgres(home, options);
  await database.primary.script(`CREATE SCHEMA ${home.schema}`);
  onTestFinished(async () => {
    await database.primary.script(`DROP SCHEMA ${home.schema} CASCADE`);
    await database.close();
  });
  return database;
}

export function serverAddress(): string {
  const address = process.env[sharedServerVariable];
  if (!address) throw new Error(`${sharedServerVariable} is not set.`);
  return address;
}

function testHome(address: string): PostgresHome {
  return { ...parsePostgresAddress(address), schema: `test_${randomBytes(6).toString("hex")}` };
}
