import { expect, onTestFinished, test } from "vitest";
import { type Cluster, startCluster } from "../../scripts/postgres/cluster.mjs";
import { whyNotInstallable } from "../../scripts/postgres/packages.mjs";
import { parsePostgresAddress } from "../../src/kernel/postgres/home-address.ts";
import { openPostgres } from "../../src/kernel/postgres/postgres-client.ts";

const testHosts = test.skipIf(whyNotInstallable() !== undefined);

async function startPair(): Promise<[Cluster, Cluster]> {
  const primary = await startCluster();
  const standby = await startCluster({ standbyOf: primary });
  onTestFinished(async () => {
    await standby.remove();
    await primary.remove();
  });
  // From here on, a commit waits for the standby.
  const { primary: client, close } = openPostgres(addressOf([primary]));
  await client.script("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await client.script("SELECT pg_reload_conf()");
  // The servers read it a moment later.
  const state = () => client.get("SELECT sync_state AS state FROM pg_stat_replication");
  await expect.poll(state).toEqual({ state: "sync" });
  await close();
  return [primary, standby];
}

const addressOf = (hosts: Cluster[], parameters = "") =>
  parsePostgresAddress(
    `postgresql://lectern@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(",")}/lectern?schema=public${parameters}`,
  );

testHosts(
  "[scale.hosts.roles] writes go to the primary and reads to a standby, in any order",
  async () => {
    const [primary, standby] = await startPair();
    const home = addressOf([standby, primary], "&target_session_attrs=prefer-standby");
    const database = openPostgres(home);

    const portOf = "SELECT current_setting('port')::int AS port";

    expect(await database.primary.get(portOf)).toEqual({ port: primary.port });
    expect(await database.reads.get(portOf)).toEqual({ port: standby.port });
    await standby.stop();
    expect(await database.reads.get(portOf, [], { repeatable: true })).toEqual({
      port: primary.port,
    });
    await database.close();
  },
);

testHosts(
  "[scale.hosts.standby] an address with only a standby says that it is read-only",
  async () => {
    const [, standby] = await startPair();
    const database = openPostgres(addressOf([standby]), { acquireMs: 100 });

    const writing = database.primary.script("CREATE TABLE t (id int)");

    await expect(writing).rejects.toThrow(`127.0.0.1:${standby.port} is a read-only standby.`);
    await database.close();
  },
);

testHosts(
  "[scale.hosts.promoted] writes continue on a promoted standby, and never on the former primary",
  async () => {
    const [primary, standby] = await startPair();
    const database = openPostgres(addressOf([primary, standby]));
    await database.primary.script("CREATE TABLE t (id int PRIMARY KEY)");
    await database.primary.run("INSERT INTO t VALUES ($1)", [1]);

    await primary.stop("SIGKILL");
    const promotion = standby.promote();
    await database.primary.transaction((sql) => sql.run("INSERT INTO t VALUES ($1)", [2]));
    await promotion;
    expect(await database.primary.all("SELECT id FROM t ORDER BY id")).toEqual([
      { id: 1 },
      { id: 2 },
    ]);

    await primary.start();
    await standby.stop();
    const late = openPostgres(addressOf([primary]));
    expect(await late.primary.get("SELECT pg_is_in_recovery() AS standby")).toEqual({
      standby: false,
    });
    await late.close();
    const writing = database.primary.run("INSERT INTO t VALUES ($1)", [3], { repeatable: true });
    await expect(writing).rejects.toThrow(
      /is a former primary|refused the connection|connection .* was lost/,
    );
    await database.close();
  },
);

testHosts(
  "[scale.hosts.quorum] a commit that no standby confirmed is not reported as stored",
  async () => {
    const [primary, standby] = await startPair();
    const database = openPostgres(addressOf([primary]), { statementMs: 1_000 });
    await database.primary.script("CREATE TABLE t (id int)");
    await standby.stop();

    const writes = await Promise.allSettled([
      database.primary.run("INSERT INTO t VALUES ($1)", [1]),
      database.primary.run("INSERT INTO t VALUES ($1)", [1], { deadlineMs: 300 }),
      database.primary.transaction((sql) => sql.run("INSERT INTO t VALUES ($1)", [1])),
    ]);

    expect(writes.map((write) => "reason" in write && write.reason.code)).toEqual(
      writes.map(() => "commit-unknown"),
    );
    await database.close();
  },
);
