import { basename, join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, ifThere, invalid } from "../../kernel/failure.ts";
import { inDirectory, type SafeDirectory } from "../../kernel/safe-directory.ts";
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
  return inDirectory(folderFor(boundary, given), (folder) => {
    const own = ownFiles(boundary, folder);
    const present = folder.entries().map(({ name }) => name);
    const foreign = present.filter((name) => name !== manifest && !own.has(name));
    const isOurs = present.includes(manifest);
    if (foreign.length > 0 && !isOurs) throw notEmpty(given);
    const taken = foreign.filter((name) => pages.has(name));
    if (taken.length > 0) throw notOurs(taken);
    writeNew(folder, manifest, manifestText([...own, ...pages.keys()]));
    const old = [...own].filter((name) => !pages.has(name) && present.includes(name));
    for (const name of old) folder.remove(name);
    for (const [name, html] of pages) writeNew(folder, name, html);
    writeNew(folder, manifest, manifestText([...pages.keys()]));
    folder.verify();
    return { folder: folder.path, removed: old.length };
  });
}

const manifestText = (files: readonly string[]): string => `${JSON.stringify({ files })}\n`;

/** What is replaced is made anew, so that a link in its place is not written through. */
function writeNew(folder: SafeDirectory, name: string, text: string): void {
  folder.remove(name);
  folder.write(name, text);
}

/** A folder that is not there yet is made in the one it will lie in. */
function folderFor(boundary: Boundary, given: string): SafeDirectory {
  if (given.trim() === "") throw invalid("folder must not be empty");
  const isNamed = ![".", ".."].includes(basename(given));
  const found = isNamed ? ifThere(() => boundary.enter(given)) : boundary.enter(given);
  if (found !== undefined) return boundary.openDirectory(found);
  const { directory, name } = boundary.openParent(given);
  return inDirectory(directory, () => {
    directory.makeFolder(name);
    return directory.enter(name);
  });
}

function ownFiles(boundary: Boundary, folder: SafeDirectory): Set<string> {
  const isThere = folder.stat(manifest)?.isFile() ?? false;
  const text = isThere ? boundary.readFile(join(folder.path, manifest), folder.path) : "";
  const { files } = objectIn(parsedJson(text.toString()));
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
