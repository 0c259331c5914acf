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
import { openChangeLog } from "../approval/change-log.ts";
import { changeLogTables } from "../approval/change-tables.ts";
import { createCall } from "../call.ts";
import { checksummedRowTables } from "../integrity/checksummed-rows.ts";
import { createBoundary } from "../paths/boundary.ts";
import { openDatabase } from "../storage/database.ts";
import { migrate } from "../storage/migrations.ts";
import { intentTables } from "./edit-intents.ts";
import { stagingPath } from "./file-edits.ts";
import { applyJournaled, recoverInterrupted } from "./journaled-edits.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-edits-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "old.md"), "before");
});

/** A log, and what is needed to write in the folder. */
function open() {
  const db = openDatabase(":memory:");
  onTestFinished(() => db.close());
  migrate(db, [
    { owner: "changes", tables: changeLogTables() },
    { owner: "seals", tables: checksummedRowTables },
    { owner: "intents", tables: intentTables },
  ]);
  const means = { boundary: createBoundary({ base: root }), changes: openChangeLog(db) };
  const tell = () =>
    means.changes.record({
      call: createCall({ actor: { surface: "test" } }),
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

test("[core.files.journaled] files are written and logged, and no intent remains", () => {
  const { db, means, tell } = open();
  expect(applyJournaled(means, root, edits(), tell)).toMatchObject({ id: 1 });

  expect(texts()).toEqual([
    ["new.md", "new"],
    ["old.md", "after"],
  ]);
  recoverInterrupted(means);
  expect(readFileSync(join(root, "old.md"), "utf8")).toBe("after");
  expect(db.all("SELECT * FROM intents")).toEqual([]);
});

test("[core.files.journaled] if the change cannot be logged, the files are restored", () => {
  const { db, means } = open();
  const fails = () => {
    throw new Error("The log is full.");
  };
  expect(() => applyJournaled(means, root, edits(), fails)).toThrow("full");

  expect(texts()).toEqual([["old.md", "before"]]);
  expect(db.all("SELECT * FROM intents")).toEqual([]);
});

test("[core.files.journaled] an existing file with identical content is left alone", () => {
  const { means, tell } = open();
  writeFileSync(join(root, "new.md"), "new");
  expect(() => applyJournaled(means, root, edits(), tell)).toThrow("already exists");

  expect(texts()).toEqual([
    ["new.md", "new"],
    ["old.md", "before"],
  ]);
});

test("[core.files.journaled] edits of a killed process are reverted, except files changed since", () => {
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
  writeFileSync(stagingPath(join(root, "new.md"), pid), "new");
  recoverInterrupted(means);
  expect(texts()).toEqual([
    ["new.md", "new, and then mine"],
    ["old.md", "before"],
  ]);

  left([{ path: join(root, "gone.md"), before: "was here" }]);
  // The next writer recovers first.
  applyJournaled(
    means,
    root,
    [{ path: join(root, "next.md"), before: undefined, after: "x" }],
    tell,
  );
  expect(readFileSync(join(root, "gone.md"), "utf8")).toBe("was here");
  expect(existsSync(join(root, "next.md"))).toBe(true);
  expect(db.all("SELECT * FROM intents")).toEqual([]);
});
