import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { type Notice, noticeTables, openNotices } from "./notices.ts";
import { migrate } from "./tables.ts";

const top = mkdtempSync(join(tmpdir(), "lectern-notices-"));
const open: Database[] = [];
afterAll(() => {
  for (const db of open) db.close();
  rmSync(top, { recursive: true, force: true });
});

let counter = 0;

/** Two processes of one home, as far as notices can tell: two connections to one file. */
function twoProcesses() {
  const path = join(top, `${counter++}.sqlite`);
  return [0, 1].map(() => {
    const db = openDatabase(path);
    open.push(db);
    migrate(db, [{ owner: "notices", tables: noticeTables }]);
    const notices = openNotices(db);
    const heard: Notice[] = [];
    const stop = notices.subscribe((notice) => heard.push(notice));
    return { db, notices, heard, stop };
  }) as [Process, Process];
}

interface Process {
  db: Database;
  notices: ReturnType<typeof openNotices>;
  heard: Notice[];
  stop: () => void;
}

test("[house.notices.shared] a notice reaches the listeners of every process, once", () => {
  const [ours, theirs] = twoProcesses();
  ours.db.transaction(() =>
    ours.notices.record([{ topic: "documents.changed" }, { topic: "source.changed", about: "7" }]),
  );
  for (const { notices } of [ours, theirs, ours, theirs]) notices.deliver();

  const told = [
    { topic: "documents.changed", about: undefined },
    { topic: "source.changed", about: "7" },
  ];
  expect(ours.heard).toEqual(told);
  expect(theirs.heard).toEqual(told);
});

test("[house.notices.commit] what is rolled back is never told", () => {
  const [ours, theirs] = twoProcesses();
  expect(() =>
    ours.db.transaction(() => {
      ours.notices.record([{ topic: "documents.changed" }]);
      throw new Error("no");
    }),
  ).toThrow("no");
  for (const { notices, heard } of [ours, theirs]) {
    notices.deliver();
    expect(heard).toEqual([]);
  }
});

test("who comes later hears only what comes later, and who left hears nothing", () => {
  const [ours] = twoProcesses();
  ours.notices.record([{ topic: "documents.changed" }]);
  const late = openNotices(ours.db);
  const heard: Notice[] = [];
  late.subscribe((notice) => heard.push(notice));
  ours.stop();
  ours.notices.record([{ topic: "prompts.changed" }]);
  ours.notices.deliver();
  late.deliver();

  expect(heard.map(({ topic }) => topic)).toEqual(["prompts.changed"]);
  expect(ours.heard).toEqual([]);
});

test("old notices are forgotten, so the table does not grow", () => {
  const [ours] = twoProcesses();
  for (let turn = 0; turn < 30; turn++) {
    ours.notices.record(
      Array.from({ length: 100 }, () => ({ topic: "documents.changed" as const })),
    );
  }
  const { count } = ours.db.get<{ count: number }>("SELECT count(*) AS count FROM notices") ?? {};
  expect(count).toBe(1_000);
});
