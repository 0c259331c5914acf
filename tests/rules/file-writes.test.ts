import { expect, test } from "vitest";
import { type SourceFile, sources } from "./source-files.ts";

/**
 * Functions that change or list what is at a path. A path that a caller gives can be swapped for a
 * link between a check and such a call, so the work is done through `kernel/files/safe-directory.ts`.
 * `open` is among them, since its flags decide whether it writes.
 */
const restricted =
  /^(?:appendFile|chmod|chown|copyFile|cp|createWriteStream|f?truncate|fchmod|fchown|futimes|glob|lchmod|lchown|link|lutimes|mkdir|mkdtemp|open|opendir|readdir|rename|rm|rmdir|symlink|unlink|utimes|write|writeFile|writev)(?:Sync)?$/;

/** Importing the whole module gives access to every function, so it counts as restricted. */
const wholeModule = "the whole module";

/**
 * Allowed because the path does not come from a caller: it is in the home, in a private temporary
 * folder, or part of the installation.
 */
const allowed: Readonly<Record<string, string>> = {
  "src/commands/evaluation/evaluate-set.ts": "makes and removes a private temporary folder",
  "src/commands/evaluation/judged-set.ts":
    "writes into that temporary folder, and lists the folder of a set that a person names",
  "src/commands/objects/texts.ts":
    "writes the file that a person names at a terminal without --force-root, as a shell does",
  "src/commands/forwarding/command-client.ts": "writes to standard output by its descriptor",
  "src/commands/serving/http-server.ts": "removes a file of the home that older versions made",
  "src/commands/serving/serve.ts": "makes a folder in the home",
  "src/kernel/paths/verified-open.ts": "opens for reading, and checks what it has opened",
  "src/kernel/files/directory-handle.ts": "opens directories, for the safe directory",
  "src/kernel/foreign/file-checks.ts":
    "opens a journal for reading, and lists what this process has open",
  "src/kernel/git/git-location.ts": "lists .git, to refuse a repository that has links in it",
  "src/kernel/git/isolated-git.ts":
    "fills a private temporary folder, and lists .git for the names of git's own index",
  "src/kernel/git/special-files.ts": "lists a work tree, to refuse one that has pipes in it",
  "src/kernel/home/heartbeat.ts": "writes a file of the home",
  "src/kernel/home/home-secret.ts": "writes a file of the home",
  "src/kernel/files/atomic-file.ts": "makes the home, and renames a damaged file of the home",
  "src/kernel/home/lease.ts": "empties a file of the home",
  "src/kernel/paths/home-files.ts": "lists the home, to refuse second names of its files",
  "src/kernel/models/local/user-model.ts": "opens a model that the configuration names for reading",
  "src/kernel/models/bundled-models.ts": "opens a model that ships with the program for reading",
  "src/kernel/runtime/open-store.ts": "makes the home",
  "src/kernel/home/home-permissions.ts": "creates files of the home and sets their modes",
  "src/kernel/files/safe-directory.ts": "is the safe directory",
  "src/kernel/integrity/store-health.ts": "copies and renames a damaged store of the home",
  "src/kernel/integrity/write-ahead-log.ts": "opens a file of the home for reading",
  "src/kernel/storage/write-lock.ts": "sets the time of the store of the home",
  "src/shelves/qualitative/exchange/taguette/taguette.ts": "fills a private temporary folder",
  "src/shelves/qualitative/project/private-media.ts":
    "lists a project's folders to withhold what is private in them; no answer holds the names",
  "src/surfaces/cli/doctor/folder-checks.ts":
    "tries to write into the home, and counts the folders of collections without naming them",
  "src/surfaces/cli/init-shelves.ts":
    "looks for kinds of files in the folder in which a person runs init, and names none",
  "src/surfaces/cli/output/process-output.ts": "writes to standard output by its descriptor",
  "src/surfaces/http/auth/login-code.ts": "writes, lists and removes files of the home",
  "src/kernel/peers/home-socket.ts": "puts a socket into the home",
  "src/surfaces/http/routes/web-files.ts": "lists the web app that ships with the program",
};

/** `path: function` for each restricted function of `node:fs` that a file imports. */
function restrictedImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    importedNames(text)
      .filter((name) => name === wholeModule || restricted.test(name))
      .map((name) => `${path}: ${name}`),
  );
}

function importedNames(text: string): string[] {
  const clauses = text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^;"']*?)\s*from\s*["'](?:node:)?fs(?:\/promises)?["']/gm,
  );
  const names = [...clauses].flatMap(([, clause = ""]) => {
    const list = /^\{([^}]*)\}$/.exec(clause)?.[1];
    if (list === undefined) return [wholeModule];
    const imported = list.split(",").map((name) => name.trim().split(/\s+as\s+/)[0] ?? "");
    // `promises` contains the same functions again.
    return imported.map((name) => (name === "promises" || name === "default" ? wholeModule : name));
  });
  const isLoaded =
    /\b(?:import|require|getBuiltinModule)\(\s*["'`](?:node:)?fs(?:\/promises)?["'`]/.test(text);
  return isLoaded ? [...names, wholeModule] : names;
}

test("[core.conventions.file-writes] only the files listed here modify or list files by path", () => {
  const imported = restrictedImports(sources());
  const files = new Set(imported.map((entry) => entry.split(":")[0] ?? ""));

  expect([...files].filter((path) => !Object.hasOwn(allowed, path))).toEqual([]);
  expect(imported.filter((entry) => entry.endsWith(wholeModule))).toEqual([]);
  // Every exception is still needed.
  expect(Object.keys(allowed).filter((path) => !files.has(path))).toEqual([]);
});

const examples: [text: string, taken: string[]][] = [
  ['import { writeFileSync } from "node:fs";', ["writeFileSync"]],
  ['import {\n  existsSync,\n  rmSync as remove,\n} from "node:fs";', ["rmSync"]],
  ['import { mkdir, readFile } from "node:fs/promises";', ["mkdir"]],
  ['import { readdirSync } from "fs";', ["readdirSync"]],
  ['import { promises } from "node:fs";', [wholeModule]],
  ['import * as fs from "node:fs";', [wholeModule]],
  ['import fs from "node:fs";', [wholeModule]],
  ['export { renameSync } from "node:fs";', ["renameSync"]],
  ['const { openSync } = await import("node:fs");', [wholeModule]],
  ['const fs = process.getBuiltinModule("node:fs");', [wholeModule]],
  ['import { readFileSync, statSync } from "node:fs";', []],
  ['import type { Dirent } from "node:fs";', []],
];

test.each(examples)("[core.conventions.file-writes] the rule detects %s", (text, imported) => {
  const path = "src/kernel/planted.ts";

  expect(restrictedImports([{ path, text }])).toEqual(imported.map((name) => `${path}: ${name}`));
});
