import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../../tests/fixtures/stores/every-store.ts";
import { get } from "../../../kernel/storage/steps.ts";
import type { Store } from "../../../kernel/storage/store.ts";
import type { LeaseHolder } from "../storage-leases.ts";
import { homeTables } from "../tables.ts";
import { assertHeldUntil, openProjectLeases } from "./project-lease.ts";

const project = "/projects/interviews.qda";

const serverOn = (host: string): LeaseHolder => ({ holder: `process on ${host}`, host, pid: 4711 });

/** Two servers of one home, of which no one knows whether the other runs. */
function twoServers(store: Store, durationMs?: number) {
  const leasesOn = (host: string) =>
    openProjectLeases({
      store,
      self: serverOn(host),
      hasEnded: () => false,
      ...(durationMs !== undefined && { durationMs }),
    });
  return [leasesOn("db1"), leasesOn("db2")] as const;
}

const openOnDb1 = {
  kind: "conflict",
  code: "PROJECT_OPEN_ELSEWHERE",
  message: "The server on db1 (process 4711) has this project open.",
};

describeEveryStore(scriptOf(homeTables), (openStore) => {
  test("[scale.projects.lease] a project is served by one server until it closes the project", async () => {
    const [first, second] = twoServers(await openStore());
    const lease = await first.acquire(project);
    const again = await first.acquire(project);
    await expect(second.acquire(project)).rejects.toMatchObject(openOnDb1);
    const other = await second.acquire("/projects/diaries.qda");

    await lease.release();
    await expect(second.acquire(project)).rejects.toMatchObject(openOnDb1);
    await again.release();
    const taken = await second.acquire(project);
    await Promise.all([taken.release(), other.release()]);
  });

  test("[scale.projects.renewed] a server keeps the lease as long as it runs", async () => {
    const store = await openStore();
    const [server] = twoServers(store, 300);
    const lease = await server.acquire(project);
    const expires = async () =>
      (await store.run(get<{ expires: number }>("SELECT expires FROM qualitative_leases")))
        ?.expires ?? 0;
    const first = await expires();
    await expect.poll(expires).toBeGreaterThan(first);
    await lease.release();
    expect(await expires()).toBe(0);
  });

  test("[scale.projects.vanished] the lease of a vanished server expires, and it can no longer write", async () => {
    const store = await openStore();
    const network = { isCut: false };
    const first = openProjectLeases({
      store: {
        ...store,
        run: async (steps) => {
          if (network.isCut) throw new Error("The network is cut.");
          return store.run(steps);
        },
      },
      self: serverOn("db1"),
      durationMs: 300,
    });
    const [, second] = twoServers(store);
    const lost = await first.acquire(project);
    network.isCut = true;
    const taken = () => second.acquire(project).catch(({ code }) => code);
    await expect.poll(taken).toMatchObject({ release: expect.any(Function) });

    network.isCut = false;
    const refused = { message: "The server on db2 (process 4711) has this project open." };
    await expect
      .poll(() => lost.ensureHeld().catch(({ message }) => ({ message })))
      .toEqual(refused);
    await expect(async () => store.run(lost.renew())).rejects.toMatchObject(refused);
    await lost.release();
    await expect(first.acquire(project)).rejects.toMatchObject(refused);
  });

  test("[scale.projects.ended] the lease of a process that is known to have ended is free at once", async () => {
    const store = await openStore();
    const [first] = twoServers(store);
    await first.acquire(project);
    const next = openProjectLeases({
      store,
      self: serverOn("db2"),
      hasEnded: (holder) => holder === "process on db1",
    });
    await (await next.acquire(project)).release();
  });
});

test("[scale.projects.vanished] a write that takes longer than the lease fails", () => {
  expect(() => assertHeldUntil(performance.now() + 10_000)).not.toThrow();
  expect(() => assertHeldUntil(performance.now() - 1)).toThrow("The write took too long.");
});
