import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../../../tests/fixtures/library/cli-library.ts";
import { search } from "../../shelves/search/shelf.ts";
import { openApp } from "../runtime/app.ts";
import { createLog } from "../runtime/log.ts";
import { openDatabase } from "../storage/database.ts";
import { describeIoError, homeUnusable } from "./io-errors.ts";

/** The error message on the command line if a folder in the home replaces a file. */
async function toldWith(folder: string) {
  const home = mkdtempSync(join(tmpdir(), "lectern-io-errors-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, folder));
  const lines: string[] = [];
  const ended = await runCli(["search", "lamp"], {
    env: { LECTERN_HOME: home },
    shelves: [search],
    openApp: (settings, identity) =>
      openApp({
        shelves: [search],
        settings,
        identity,
        log: createLog({ level: "error", write: (line) => lines.push(line) }),
      }),
  });
  return { ...ended, logged: lines.join("") };
}

test.each(["lectern.sqlite", "lease.sqlite"])(
  "[core.home.unusable] where %s is a folder, a sentence says so, and no stack is shown",
  async (folder) => {
    const { code, err, logged } = await toldWith(folder);

    expect(code).toBe(7);
    expect(err).toContain(`The home cannot be used: ${folder} is a folder and not a file.`);
    expect(err).toContain("LECTERN_HOME");
    expect(err + logged).not.toMatch(/Internal|ERR_|\bat .*:\d+:\d+/);
  },
);

test("[core.home.unusable] a store that cannot be written explains why", () => {
  const path = join(mkdtempSync(join(tmpdir(), "lectern-io-errors-")), "store.sqlite");
  const made = openDatabase(path);
  made.exec("CREATE TABLE a (b)");
  made.close();
  const db = openDatabase(path, { readOnly: true });
  onTestFinished(() => db.close());
  const errorOf = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  const refused = errorOf(() => db.run("INSERT INTO a VALUES (1)"));
  expect(describeIoError(refused)).toBe("the disk or the file is read-only");
  expect(homeUnusable(Object.assign(new Error(""), { code: "ENOSPC" }))).toMatchObject({
    message: "The home cannot be used: the disk is full.",
    hints: ["Free some disk space, or set LECTERN_HOME to another folder."],
  });
});
