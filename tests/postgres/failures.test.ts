import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../scripts/postgres/cluster.mjs";
import { whyNotInstallable } from "../../scripts/postgres/packages.mjs";
import { Failure } from "../../src/kernel/failure.ts";
import { parsePostgresAddress } from "../../src/kernel/postgres/home-address.ts";
import { openPostgres } from "../../src/kernel/postgres/postgres-client.ts";
import { migratePostgres } from "../../src/kernel/postgres/postgres-migrations.ts";

/** What a user reads when the address leads to a database that cannot be used. */
async function failureAt(address: string): Promise<string> {
  const home = parsePostgresAddress(address);
  const database = openPostgres(home, { acquireMs: 100, sessions: 4 });
  try {
    await migratePostgres(database.primary, home, [
      { name: "t", apply: "CREATE TABLE t (id int)" },
    ]);
    return "no failure";
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    const { explanation } = error as Failure;
    expect(explanation).not.toMatch(/secret|CREATE TABLE|SELECT/);
    return explanation;
  } finally {
    await database.close();
  }
}

describe.skipIf(whyNotInstallable() !== undefined)("a server that cannot be used", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({
      settings: [
        "max_connections = 8",
        "superuser_reserved_connections = 1",
        "reserved_connections = 0",
      ],
      hba: [
        "host all lectern 127.0.0.1/32 trust",
        "host lectern guest 127.0.0.1/32 scram-sha-256",
        "host other guest 127.0.0.1/32 trust",
      ],
    });
    const { primary, close } = openPostgres(parsePostgresAddress(cluster.url));
    await primary.script("CREATE ROLE guest LOGIN PASSWORD 'secret right'");
    await close();
  });
  afterAll(() => cluster?.remove());

  const at = (login: string, rest = "/lectern") =>
    `postgresql://${login}@127.0.0.1:${cluster.port}${rest}`;

  test("[scale.failures.text] each failure of a connection names its cause and the fix", async () => {
    const check = async (address: string, message: string, hint: RegExp) => {
      const [first, second] = (await failureAt(address)).split("\n");
      expect(first).toBe(message);
      expect(second).toMatch(hint);
    };
    const host = `127.0.0.1:${cluster.port}`;
    await check(
      at("guest:secret"),
      `${host} refused the password of user guest: password authentication failed.`,
      /LECTERN_HOME, PGPASSWORD/,
    );
    await check(at("guest"), `${host} asks for a password of user guest.`, /PGPASSWORD/);
    await check(
      at("stranger:secret"),
      `${host} does not admit user stranger to database lectern from this machine.`,
      /pg_hba.conf/,
    );
    await check(
      at("lectern", "/nowhere"),
      `The database nowhere does not exist at ${host}.`,
      /createdb --owner lectern nowhere/,
    );
    await check(
      at("guest:secret%20right", "/lectern?schema=team"),
      "The schema team does not exist.",
      /CREATE SCHEMA team AUTHORIZATION guest/,
    );
    await check(
      at("lectern", "/lectern?sslmode=require"),
      `${host} does not support TLS.`,
      /sslmode=disable/,
    );
    await check(
      "postgresql://lectern@127.0.0.1:1/lectern",
      "127.0.0.1:1 refused the connection.",
      /Start/,
    );
    await check(
      "postgresql://lectern@no-such-host.invalid/lectern?sslmode=disable",
      "The host no-such-host.invalid is unknown.",
      /LECTERN_HOME/,
    );
  });

  test("[scale.failures.connections] a server without free connections is reported as such", async () => {
    const home = parsePostgresAddress(at("guest:secret%20right"));
    const { primary, close } = openPostgres(home, { sessions: 20, acquireMs: 500 });

    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => primary.get("SELECT pg_sleep(1)")),
    );

    const failures = results.flatMap((result) => ("reason" in result ? [result.reason] : []));
    expect(failures.map(({ message }: Error) => message)).toContain(
      `127.0.0.1:${cluster.port} has too many connections.`,
    );
    await close();
  });
});
