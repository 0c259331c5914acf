import { expect, test } from "vitest";
import { parsePostgresAddress } from "../../src/kernel/postgres/home-address.ts";
import { openPostgres } from "../../src/kernel/postgres/postgres-client.ts";
import { whyNoPostgres } from "../runner/shared-postgres.ts";
import { forwardTo } from "./cut-connection.ts";
import { openTestDatabase, serverAddress } from "./test-database.ts";

const testServer = test.skipIf(whyNoPostgres !== undefined);

testServer(
  "[scale.client.trips] statements that are started together cost one round trip",
  async () => {
    const { primary } = await openTestDatabase();
    await primary.script("CREATE TABLE t (id int)");
    const before = primary.roundTrips;

    await primary.transaction(async (sql) => {
      await Promise.all([1, 2, 3].map((id) => sql.run("INSERT INTO t VALUES ($1)", [id])));
    });

    expect(primary.roundTrips - before).toBe(2);
    expect(await primary.all("SELECT id FROM t ORDER BY id")).toHaveLength(3);
  },
);

testServer(
  "[scale.client.conflicts] concurrent transactions are repeated until each is stored",
  async () => {
    const { primary } = await openTestDatabase();
    await primary.script("CREATE TABLE t (n int); INSERT INTO t VALUES (0)");

    await Promise.all(
      Array.from({ length: 4 }, () =>
        primary.transaction(
          async (sql) => {
            const row = await sql.get<{ n: number }>("SELECT n FROM t");
            await sql.run("UPDATE t SET n = $1", [(row?.n ?? 0) + 1]);
          },
          { isolation: "serializable" },
        ),
      ),
    );

    expect(await primary.get("SELECT n FROM t")).toEqual({ n: 4 });
  },
);

testServer(
  "[scale.client.failed] a transaction that ignores an error is not taken for stored",
  async () => {
    const { primary } = await openTestDatabase();
    await primary.script("CREATE TABLE t (id int PRIMARY KEY)");

    const storing = primary.transaction(async (sql) => {
      await sql.run("INSERT INTO t VALUES ($1)", [1]);
      await sql.run("INSERT INTO t VALUES ($1)", [1]).catch(() => undefined);
    });

    await expect(storing).rejects.toThrow(/statement .* failed/);
    expect(await primary.all("SELECT * FROM t")).toEqual([]);
  },
);

testServer("[scale.client.cancel] an aborted statement is cancelled at the server", async () => {
  const { primary } = await openTestDatabase({ sessions: 1 });
  const controller = new AbortController();
  const slow = primary.all("SELECT pg_sleep(60), $1::text", ["marked"], {
    signal: controller.signal,
  });
  slow.catch(() => undefined);
  const observer = await openTestDatabase();
  const running = () =>
    observer.primary.all(
      "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(60), %'",
    );
  await expect.poll(running).toHaveLength(1);

  controller.abort(new Error("left"));

  await expect(slow).rejects.toThrow("left");
  await expect.poll(running).toHaveLength(0);
  expect(await primary.get("SELECT 1 AS one")).toEqual({ one: 1 });
});

testServer(
  "[scale.client.deadline] a statement that exceeds its deadline fails, and the next one runs",
  async () => {
    const { primary } = await openTestDatabase({ sessions: 1 });

    const slow = primary.all("SELECT pg_sleep(60)", [], { deadlineMs: 50 });

    await expect(slow).rejects.toMatchObject({ kind: "unavailable", code: "timeout" });
    expect(await primary.get("SELECT 1 AS one")).toEqual({ one: 1 });
  },
);

testServer(
  "[scale.client.hanging] a server that no longer answers is given up at the deadline",
  async () => {
    const address = parsePostgresAddress(serverAddress());
    const forwarder = await forwardTo(address.hosts[0]?.port ?? 0);
    const hosts = [{ name: "127.0.0.1", port: forwarder.port }];
    const { primary, close } = openPostgres({ ...address, hosts }, { sessions: 1 });
    await primary.get("SELECT 1");
    forwarder.hang();

    const reading = primary.get("SELECT 1", [], { deadlineMs: 50 });

    await expect(reading).rejects.toMatchObject({ kind: "unavailable" });
    forwarder.resume();
    expect(await primary.get("SELECT 1 AS one")).toEqual({ one: 1 });
    await close();
  },
);

testServer(
  "[scale.client.reconnect] a repeatable statement survives a lost connection",
  async () => {
    const address = parsePostgresAddress(serverAddress());
    const forwarder = await forwardTo(address.hosts[0]?.port ?? 0);
    const hosts = [{ name: "127.0.0.1", port: forwarder.port }];
    const { primary, close } = openPostgres({ ...address, hosts });
    await Promise.all([1, 2, 3].map(() => primary.get("SELECT pg_sleep(0.05)")));

    const slow = primary.get("SELECT pg_sleep(0.2), 1 AS one", [], { repeatable: true });
    await new Promise(setImmediate);
    forwarder.cut();

    expect(await slow).toMatchObject({ one: 1 });
    await close();
  },
);

testServer("[scale.client.full] a caller that gets no connection in time is told so", async () => {
  const { primary } = await openTestDatabase({ sessions: 1, acquireMs: 50 });

  const message = await primary.withConnection(async () =>
    primary.get("SELECT 1").catch((error: Error) => error.message),
  );

  expect(message).toBe("All 1 connections to the database are in use.");
});
