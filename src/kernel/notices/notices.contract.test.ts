import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import { get, type Steps, transaction } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import { type Notice, noticeTables, openNotices } from "./notices.ts";

/** Simulates a process of the home. */
async function openProcess(store: Store) {
  const notices = await store.run(openNotices());
  const received: Notice[] = [];
  return {
    received,
    stop: notices.subscribe((notice) => received.push(notice)),
    record: (...added: Notice[]): Steps<void> => notices.record(added),
    deliver: async () => store.run(notices.deliver()),
  };
}

describeEveryStore(scriptOf(noticeTables), (openStore) => {
  async function twoProcesses() {
    const store = await openStore();
    return { store, ours: await openProcess(store), theirs: await openProcess(store) };
  }

  test("[core.notices.shared] a notice reaches the listeners of every process exactly once", async () => {
    const { store, ours, theirs } = await twoProcesses();
    await store.run(
      ours.record({ topic: "documents.changed" }, { topic: "source.changed", about: "7" }),
    );
    for (const { deliver } of [ours, theirs, ours, theirs]) await deliver();

    const reported = [
      { topic: "documents.changed", about: undefined },
      { topic: "source.changed", about: "7" },
    ];
    expect(ours.received).toEqual(reported);
    expect(theirs.received).toEqual(reported);
  });

  test("[core.notices.shared] concurrent deliveries do not repeat a notice", async () => {
    const { store, ours } = await twoProcesses();
    await store.run(ours.record({ topic: "documents.changed" }));
    await Promise.all([ours.deliver(), ours.deliver(), ours.deliver()]);

    expect(ours.received).toHaveLength(1);
  });

  test("[core.notices.commit] nothing is announced for a transaction that was rolled back", async () => {
    const { store, ours, theirs } = await twoProcesses();
    const failing = transaction(function* () {
      yield* ours.record({ topic: "documents.changed" });
      throw new Error("no");
    });
    await expect(async () => store.run(failing)).rejects.toThrow("no");
    for (const { deliver, received } of [ours, theirs]) {
      await deliver();
      expect(received).toEqual([]);
    }
  });

  test("a new listener receives only later notices, and a removed one none", async () => {
    const { store, ours } = await twoProcesses();
    await store.run(ours.record({ topic: "documents.changed" }));
    const late = await openProcess(store);
    ours.stop();
    await store.run(ours.record({ topic: "prompts.changed" }));
    await ours.deliver();
    await late.deliver();

    expect(late.received.map(({ topic }) => topic)).toEqual(["prompts.changed"]);
    expect(ours.received).toEqual([]);
  });

  test("old notices are deleted, so the table does not grow", async () => {
    const { store, ours } = await twoProcesses();
    const hundred = Array.from({ length: 100 }, (): Notice => ({ topic: "documents.changed" }));
    for (let turn = 0; turn < 12; turn++) await store.run(ours.record(...hundred));
    const row = await store.run(get<{ count: number }>("SELECT count(*) AS count FROM notices"));
    expect(row?.count).toBe(1_000);
  });
});
