import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../../tests/fixtures/cli-library.ts";
import { search } from "../shelves/search/shelf.ts";
import { openDatabase } from "./database.ts";
import { openLibrary } from "./library.ts";
import { makeLog } from "./log.ts";
import { homeUnusable, troubleInWords } from "./trouble.ts";

/** What a person is told at a shell, where a folder of the home stands in the way of a file. */
async function toldWith(folder: string) {
  const home = mkdtempSync(join(tmpdir(), "lectern-trouble-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, folder));
  const lines: string[] = [];
  const ended = await runCli(["search", "lamp"], {
    env: { LECTERN_HOME: home },
    shelves: [search],
    openLibrary: (settings, identity) =>
      openLibrary({
        shelves: [search],
        settings,
        identity,
        log: makeLog({ level: "error", write: (line) => lines.push(line) }),
      }),
  });
  return { ...ended, logged: lines.join("") };
}

test.each(["lectern.sqlite", "lease.sqlite"])(
  "[house.home.trouble] where %s is a folder, a sentence says so, and no stack is shown",
  async (folder) => {
    const { code, err, logged } = await toldWith(folder);

    expect(code).toBe(7);
    expect(err).toContain(`The home cannot be used: ${folder} is a folder, and should be a file.`);
    expect(err).toContain("LECTERN_HOME");
    expect(err + logged).not.toMatch(/Internal|ERR_|\bat .*:\d+:\d+/);
  },
);

test("[house.home.trouble] a store that cannot be written says why", () => {
  const path = join(mkdtempSync(join(tmpdir(), "lectern-trouble-")), "store.sqlite");
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
  expect(troubleInWords(refused)).toBe("the disk or the file is read-only");
  expect(homeUnusable(Object.assign(new Error(""), { code: "ENOSPC" }))).toMatchObject({
    message: "The home cannot be used: the disk is full.",
    hints: ["Make some space, or set LECTERN_HOME to another folder."],
  });
});
