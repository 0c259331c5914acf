import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { type Notice, noticeTables, openNotices } from "./notices.ts";

const top = mkdtempSync(join(tmpdir(), "lectern-notices-"));
const open: Database[] = [];
afterAll(() => {
  for (const db of open) db.close();
  rmSync(top, { recursive: true, force: true });
});

let counter = 0;

/** Simulates two processes of one home: two connections to one file. */
function twoProcesses() {
  const path = join(top, `${counter++}.sqlite`);
  return [0, 1].map(() => {
    const db = openDatabase(path);
    open.push(db);
    migrate(db, [{ owner: "notices", tables: noticeTables }]);
    const notices = openNotices(db);
    const received: Notice[] = [];
    const stop = notices.subscribe((notice) => received.push(notice));
    return { db, notices, received, stop };
  }) as [Process, Process];
}

interface Process {
  db: Database;
  notices: ReturnType<typeof openNotices>;
  received: Notice[];
  stop: () => void;
}

test("[core.notices.shared] a notice reaches the listeners of every process exactly once", () => {
  const [ours, theirs] = twoProcesses();
  ours.db.transaction(() =>
    ours.notices.record([{ topic: "documents.changed" }, { topic: "source.changed", about: "7" }]),
  );
  for (const { notices } of [ours, theirs, ours, theirs]) notices.deliver();

  const reported = [
    { topic: "documents.changed", about: undefined },
    { topic: "source.changed", about: "7" },
  ];
  expect(ours.received).toEqual(reported);
  expect(theirs.received).toEqual(reported);
});

test("[core.notices.commit] nothing is announced for a transaction that was rolled back", () => {
  const [ours, theirs] = twoProcesses();
  expect(() =>
    ours.db.transaction(() => {
      ours.notices.record([{ topic: "documents.changed" }]);
      throw new Error("no");
    }),
  ).toThrow("no");
  for (const { notices, received } of [ours, theirs]) {
    notices.deliver();
    expect(received).toEqual([]);
  }
});

test("a new listener receives only later notices, and a removed one none", () => {
  const [ours] = twoProcesses();
  ours.notices.record([{ topic: "documents.changed" }]);
  const late = openNotices(ours.db);
  const received: Notice[] = [];
  late.subscribe((notice) => received.push(notice));
  ours.stop();
  ours.notices.record([{ topic: "prompts.changed" }]);
  ours.notices.deliver();
  late.deliver();

  expect(received.map(({ topic }) => topic)).toEqual(["prompts.changed"]);
  expect(ours.received).toEqual([]);
});

test("old notices are deleted, so the table does not grow", () => {
  const [ours] = twoProcesses();
  for (let turn = 0; turn < 30; turn++) {
    ours.notices.record(
      Array.from({ length: 100 }, () => ({ topic: "documents.changed" as const })),
    );
  }
  const { count } = ours.db.get<{ count: number }>("SELECT count(*) AS count FROM notices") ?? {};
  expect(count).toBe(1_000);
});
