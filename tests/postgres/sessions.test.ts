import { expect, test } from "vitest";
import { tryAdvisoryLock } from "../../src/kernel/postgres/advisory-lock.ts";
import { parsePostgresAddress } from "../../src/kernel/postgres/home-address.ts";
import { listen } from "../../src/kernel/postgres/notifications.ts";
import { openPostgres } from "../../src/kernel/postgres/postgres-client.ts";
import { whyNoPostgres } from "../runner/shared-postgres.ts";
import { forwardTo } from "./cut-connection.ts";
import { openTestDatabase, serverAddress } from "./test-database.ts";

const testServer = test.skipIf(whyNoPostgres !== undefined);

testServer("[scale.lock.exclusive] a lock has one holder until it is released", async () => {
  const [one, other] = [await openTestDatabase(), await openTestDatabase()];
  const name = `exclusive ${Math.random()}`;

  const held = await tryAdvisoryLock(one, name);
  expect(await tryAdvisoryLock(other, name)).toBeUndefined();
  await held?.release();

  const next = await tryAdvisoryLock(other, name);
  expect(next).toBeDefined();
  await next?.release();
});

testServer(
  "[scale.lock.lost] a holder whose session ends is told so, and the lock is free",
  async () => {
    const database = await openTestDatabase();
    const name = `lost ${Math.random()}`;
    const held = await tryAdvisoryLock(database, name);

    await database.primary.run(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
       AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
      [name],
    );

    await expect.poll(() => held?.lost.aborted).toBe(true);
    const next = await tryAdvisoryLock(database, name);
    expect(next).toBeDefined();
    await next?.release();
  },
);

testServer(
  "[scale.lock.vanished] a holder that hears nothing of the server gives the lock up",
  async () => {
    const address = parsePostgresAddress(serverAddress());
    const forwarder = await forwardTo(address.hosts[0]?.port ?? 0);
    const hosts = [{ name: "127.0.0.1", port: forwarder.port }];
    const database = openPostgres({ ...address, hosts });
    const held = await tryAdvisoryLock(database, `vanished ${Math.random()}`);

    forwarder.hang();

    await expect.poll(() => held?.lost.aborted).toBe(true);
    await database.close();
  },
);

testServer(
  "[scale.notify.wakes] a notification wakes a listener, also after its connection was lost",
  async () => {
    const database = await openTestDatabase();
    const { primary } = database;
    let wakes = 0;
    const listening = await listen(database, { channel: 'a "channel"', onWake: () => wakes++ });
    const notify = () => primary.run("SELECT pg_notify($1, '')", ['a "channel"']);

    await notify();
    await expect.poll(() => wakes).toBe(1);

    await primary.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1 AND pid <> pg_backend_pid()",
      ['LISTEN "a ""channel"""'],
    );
    await expect.poll(() => wakes).toBe(2);
    await notify();
    await expect.poll(() => wakes).toBe(3);
    await listening.close();
  },
);
