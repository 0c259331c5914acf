import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeBoundary } from "./boundary.ts";
import { makeCall } from "./call.ts";
import { openChangeLog } from "./change-log.ts";
import { changeLogTables } from "./change-tables.ts";
import { openDatabase } from "./database.ts";
import { besideOf } from "./file-edits.ts";
import { intentTables } from "./intents.ts";
import { sealTables } from "./sealed-rows.ts";
import { migrate } from "./tables.ts";
import { applyTold, settleInterrupted } from "./told-edits.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-told-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "old.md"), "before");
});

/** A log, and what is needed to write in the folder. */
function open() {
  const db = openDatabase(":memory:");
  onTestFinished(() => db.close());
  migrate(db, [
    { owner: "changes", tables: changeLogTables() },
    { owner: "seals", tables: sealTables },
    { owner: "intents", tables: intentTables },
  ]);
  const means = { boundary: makeBoundary({ base: root }), changes: openChangeLog(db) };
  const tell = () =>
    means.changes.record({
      call: makeCall({ actor: { surface: "test" } }),
      operation: "write",
      summary: "Wrote",
    });
  return { db, means, tell };
}

const edits = () => [
  { path: join(root, "old.md"), before: "before", after: "after" },
  { path: join(root, "new.md"), before: undefined, after: "new" },
];

const texts = () => readdirSync(root).map((name) => [name, readFileSync(join(root, name), "utf8")]);

test("[house.files.told] files are written and told, and nothing is left to settle", () => {
  const { db, means, tell } = open();
  expect(applyTold(means, root, edits(), tell)).toMatchObject({ id: 1 });

  expect(texts()).toEqual([
    ["new.md", "new"],
    ["old.md", "after"],
  ]);
  settleInterrupted(means);
  expect(readFileSync(join(root, "old.md"), "utf8")).toBe("after");
  expect(db.all("SELECT * FROM intents")).toEqual([]);
});

test("[house.files.told] where the change cannot be told, the files are as they were", () => {
  const { db, means } = open();
  const fails = () => {
    throw new Error("The log is full.");
  };
  expect(() => applyTold(means, root, edits(), fails)).toThrow("full");

  expect(texts()).toEqual([["old.md", "before"]]);
  expect(db.all("SELECT * FROM intents")).toEqual([]);
});

test("[house.files.told] a file of the same words that was there before is left alone", () => {
  const { means, tell } = open();
  writeFileSync(join(root, "new.md"), "new");
  expect(() => applyTold(means, root, edits(), tell)).toThrow("there already");

  expect(texts()).toEqual([
    ["new.md", "new"],
    ["old.md", "before"],
  ]);
});

test("[house.files.told] what a stopped process left is taken back, save what was changed since", () => {
  const { db, means, tell } = open();
  const pid = 4_000_000;
  const left = (files: object[]) =>
    db.run(
      "INSERT INTO intents (intent) VALUES (?)",
      JSON.stringify({ within: root, pid, edits: files }),
    );
  left(edits());
  writeFileSync(join(root, "old.md"), "after");
  writeFileSync(join(root, "new.md"), "new, and then mine");
  writeFileSync(besideOf(join(root, "new.md"), pid), "new");
  settleInterrupted(means);
  expect(texts()).toEqual([
    ["new.md", "new, and then mine"],
    ["old.md", "before"],
  ]);

  left([{ path: join(root, "gone.md"), before: "was here" }]);
  // The next who writes settles first.
  applyTold(means, root, [{ path: join(root, "next.md"), before: undefined, after: "x" }], tell);
  expect(readFileSync(join(root, "gone.md"), "utf8")).toBe("was here");
  expect(existsSync(join(root, "next.md"))).toBe(true);
  expect(db.all("SELECT * FROM intents")).toEqual([]);
});
