import { expect, test } from "vitest";
import { type SourceFile, sources } from "./source-files.ts";

/**
 * Functions that change or list what is at a path. A path that a caller gives can be swapped for a
 * link between a check and such a call, so the work is done through `kernel/safe-directory.ts`.
 * `open` is among them, since its flags decide whether it writes.
 */
const restricted =
  /^(?:appendFile|chmod|chown|copyFile|cp|createWriteStream|f?truncate|fchmod|fchown|futimes|glob|lchmod|lchown|link|lutimes|mkdir|mkdtemp|open|opendir|readdir|rename|rm|rmdir|symlink|unlink|utimes|write|writeFile|writev)(?:Sync)?$/;

/** A module as a whole has every function, under names that no rule can follow. */
const whole = "the whole module";

/** Where the path is no caller's: it lies in the home, in a private temporary folder, or is ours. */
const allowed: Readonly<Record<string, string>> = {
  "src/commands/evaluation.ts": "makes and removes a private temporary folder",
  "src/commands/judged-set.ts":
    "writes into that temporary folder, and lists the folder of a set that a person names",
  "src/commands/object-texts.ts":
    "writes the file that a person names at a terminal without --force-root, as a shell does",
  "src/commands/serve.ts": "makes a folder in the home",
  "src/kernel/approved-file.ts": "opens for reading, and checks what it has opened",
  "src/kernel/directory-handle.ts": "opens directories, for the safe directory",
  "src/kernel/foreign/foreign-file.ts":
    "opens a journal for reading, and lists what this process has open",
  "src/kernel/git-place.ts": "lists .git, to refuse a repository that has links in it",
  "src/kernel/git-repository.ts":
    "fills a private temporary folder, and lists .git for the names of git's own index",
  "src/kernel/heartbeat.ts": "writes a file of the home",
  "src/kernel/home-secret.ts": "writes a file of the home",
  "src/kernel/kept-file.ts": "makes the home, and renames a damaged file of the home",
  "src/kernel/lease.ts": "empties a file of the home",
  "src/kernel/models/brought-model.ts": "opens a model that the configuration names for reading",
  "src/kernel/models/bundled.ts": "opens a model that ships with the program for reading",
  "src/kernel/open-house.ts": "makes the home",
  "src/kernel/own-file.ts": "creates files of the home and sets their modes",
  "src/kernel/safe-directory.ts": "is the safe directory",
  "src/kernel/store-health.ts": "copies and renames a damaged store of the home",
  "src/kernel/write-ahead-log.ts": "opens a file of the home for reading",
  "src/kernel/write-lock.ts": "sets the time of the store of the home",
  "src/shelves/qualitative/exchange/taguette.ts": "fills a private temporary folder",
  "src/shelves/qualitative/private-media.ts":
    "lists a project's folders to withhold what is private in them; no answer holds the names",
  "src/surfaces/cli/doctor-folders.ts":
    "tries to write into the home, and counts the folders of collections without naming them",
  "src/surfaces/cli/output.ts": "writes to standard output by its descriptor",
  "src/surfaces/http/home-socket.ts": "puts a socket into the home",
  "src/surfaces/http/web-files.ts": "lists the web app that ships with the program",
};

/** `path: function` for each function of `node:fs` that a file takes and may not. */
function takenFrom(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    namesTaken(text)
      .filter((name) => name === whole || restricted.test(name))
      .map((name) => `${path}: ${name}`),
  );
}

function namesTaken(text: string): string[] {
  const clauses = text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^;"']*?)\s*from\s*["'](?:node:)?fs(?:\/promises)?["']/gm,
  );
  const names = [...clauses].flatMap(([, clause = ""]) => {
    const list = /^\{([^}]*)\}$/.exec(clause)?.[1];
    if (list === undefined) return [whole];
    const taken = list.split(",").map((name) => name.trim().split(/\s+as\s+/)[0] ?? "");
    // The same functions again, which return promises.
    return taken.map((name) => (name === "promises" || name === "default" ? whole : name));
  });
  const isLoaded =
    /\b(?:import|require|getBuiltinModule)\(\s*["'`](?:node:)?fs(?:\/promises)?["'`]/.test(text);
  return isLoaded ? [...names, whole] : names;
}

test("[house.manner.file-writes] only the files that are named here change or list files by a path", () => {
  const taken = takenFrom(sources());
  const files = new Set(taken.map((entry) => entry.split(":")[0] ?? ""));

  expect([...files].filter((path) => !Object.hasOwn(allowed, path))).toEqual([]);
  expect(taken.filter((entry) => entry.endsWith(whole))).toEqual([]);
  // A file that needs no exception any more has none.
  expect(Object.keys(allowed).filter((path) => !files.has(path))).toEqual([]);
});

const planted: [text: string, taken: string[]][] = [
  ['import { writeFileSync } from "node:fs";', ["writeFileSync"]],
  ['import {\n  existsSync,\n  rmSync as remove,\n} from "node:fs";', ["rmSync"]],
  ['import { mkdir, readFile } from "node:fs/promises";', ["mkdir"]],
  ['import { readdirSync } from "fs";', ["readdirSync"]],
  ['import { promises } from "node:fs";', [whole]],
  ['import * as fs from "node:fs";', [whole]],
  ['import fs from "node:fs";', [whole]],
  ['export { renameSync } from "node:fs";', ["renameSync"]],
  ['const { openSync } = await import("node:fs");', [whole]],
  ['const fs = process.getBuiltinModule("node:fs");', [whole]],
  ['import { readFileSync, statSync } from "node:fs";', []],
  ['import type { Dirent } from "node:fs";', []],
];

test.each(planted)("[house.manner.file-writes] the rule sees what %s takes", (text, taken) => {
  const path = "src/kernel/planted.ts";

  expect(takenFrom([{ path, text }])).toEqual(taken.map((name) => `${path}: ${name}`));
});
