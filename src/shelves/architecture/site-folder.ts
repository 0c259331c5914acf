import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, ifThere, invalid } from "../../kernel/failure.ts";
import { contentOf } from "../../kernel/kept-file.ts";
import { objectIn, parsedJson } from "../../text/json-value.ts";

/** Names what we wrote into a folder, so that the next time nothing else is touched. */
const manifest = ".lectern-decisions.json";

/**
 * Writes pages into a folder that is new, empty, or was written by this before. Pages that are no
 * more are taken away; a file that is not ours stops everything before anything is written.
 */
export function writeSite(
  boundary: Boundary,
  given: string,
  pages: ReadonlyMap<string, string>,
): { folder: string; removed: number } {
  const folder = folderFor(boundary, given);
  const own = ownFiles(folder);
  const present = existsSync(folder) ? readdirSync(folder) : [];
  const foreign = present.filter((name) => name !== manifest && !own.has(name));
  const isOurs = present.includes(manifest);
  if (foreign.length > 0 && !isOurs) throw notEmpty(given);
  const taken = foreign.filter((name) => pages.has(name));
  if (taken.length > 0) throw notOurs(taken);
  mkdirSync(folder, { recursive: true });
  writeNew(join(folder, manifest), manifestText([...own, ...pages.keys()]));
  const old = [...own].filter((name) => !pages.has(name) && present.includes(name));
  for (const name of old) rmSync(join(folder, name), { force: true });
  for (const [name, html] of pages) writeNew(join(folder, name), html);
  writeNew(join(folder, manifest), manifestText([...pages.keys()]));
  return { folder, removed: old.length };
}

const manifestText = (files: readonly string[]): string => `${JSON.stringify({ files })}\n`;

/** What is replaced is made anew, so that a link in its place is not written through. */
function writeNew(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: "wx" });
}

/** A folder that is not there yet is judged by the one it will lie in. */
function folderFor(boundary: Boundary, given: string): string {
  if (given.trim() === "") throw invalid("folder must not be empty");
  const name = basename(given);
  if (name === ".." || name === ".") return boundary.enter(given);
  return ifThere(() => boundary.enter(given)) ?? join(boundary.enter(dirname(given)), name);
}

function ownFiles(folder: string): Set<string> {
  const text = existsSync(folder) ? contentOf(join(folder, manifest)) : undefined;
  const { files } = objectIn(parsedJson(text ?? ""));
  const names = Array.isArray(files) ? files.filter((name) => typeof name === "string") : [];
  return new Set(names.filter((name) => /^[^/\\]+\.html$/.test(name)));
}

const notEmpty = (given: string): Failure =>
  new Failure("conflict", "not-empty", `'${given}' holds files that were not written by this.`, {
    hints: ["Name a new or an empty folder."],
  });

const notOurs = (names: readonly string[]): Failure =>
  new Failure("conflict", "exists", `Not written by this, and in the way: ${names.join(", ")}.`, {
    hints: ["Move these files, or name another folder."],
  });
