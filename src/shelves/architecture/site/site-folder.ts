import { basename, join } from "node:path";
import { Failure, invalid, undefinedIfNotFound } from "../../../kernel/failure.ts";
import { type SafeDirectory, withDirectory } from "../../../kernel/files/safe-directory.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { asJsonObject, tryParseJson } from "../../../text/formats/json-value.ts";

/** The manifest of written files: later exports change no others. */
const manifestName = ".lectern-decisions.json";

/**
 * Writes pages into a folder that is new, empty or was written by an earlier export. Obsolete pages
 * are removed; a foreign file in the way stops the export before anything is written.
 */
export function writeDecisionSite(
  boundary: Boundary,
  path: string,
  pages: ReadonlyMap<string, string>,
): { folder: string; removed: number } {
  return withDirectory(openSiteFolder(boundary, path), (folder) => {
    const ownFiles = readManifest(boundary, folder);
    const present = folder.entries().map(({ name }) => name);
    const foreign = present.filter((name) => name !== manifestName && !ownFiles.has(name));
    const hasOwnManifest = present.includes(manifestName);
    if (foreign.length > 0 && !hasOwnManifest) throw folderNotEmpty(path);
    const blocking = foreign.filter((name) => pages.has(name));
    if (blocking.length > 0) throw foreignFilesInWay(blocking);
    replaceFile(folder, manifestName, manifestText([...ownFiles, ...pages.keys()]));
    const obsolete = [...ownFiles].filter((name) => !pages.has(name) && present.includes(name));
    for (const name of obsolete) folder.remove(name);
    for (const [name, html] of pages) replaceFile(folder, name, html);
    replaceFile(folder, manifestName, manifestText([...pages.keys()]));
    folder.verify();
    return { folder: folder.path, removed: obsolete.length };
  });
}

const manifestText = (files: readonly string[]): string => `${JSON.stringify({ files })}\n`;

/** Removes the file and creates it again, so that a symbolic link at the path is not followed. */
function replaceFile(folder: SafeDirectory, name: string, text: string): void {
  folder.remove(name);
  folder.write(name, text);
}

/** Opens the folder, creating it in its parent if it does not exist. */
function openSiteFolder(boundary: Boundary, path: string): SafeDirectory {
  if (path.trim() === "") throw invalid("folder must not be empty");
  const isNamed = ![".", ".."].includes(basename(path));
  const existing = isNamed
    ? undefinedIfNotFound(() => boundary.resolvePath(path))
    : boundary.resolvePath(path);
  if (existing !== undefined) return boundary.openDirectory(existing);
  const { directory, name } = boundary.openParentDirectory(path);
  return withDirectory(directory, () => {
    directory.makeFolder(name);
    return directory.openFolder(name);
  });
}

function readManifest(boundary: Boundary, folder: SafeDirectory): Set<string> {
  const hasManifest = folder.stat(manifestName)?.isFile() ?? false;
  const text = hasManifest ? boundary.readFile(join(folder.path, manifestName), folder.path) : "";
  const { files } = asJsonObject(tryParseJson(text.toString()));
  const names = Array.isArray(files) ? files.filter((name) => typeof name === "string") : [];
  return new Set(names.filter((name) => /^[^/\\]+\.html$/.test(name)));
}

const folderNotEmpty = (path: string): Failure =>
  new Failure("conflict", "not-empty", `'${path}' contains files that this export did not write.`, {
    hints: ["Choose a new or an empty folder."],
  });

const foreignFilesInWay = (names: readonly string[]): Failure =>
  new Failure(
    "conflict",
    "exists",
    `Files in the way that this export did not write: ${names.join(", ")}.`,
    {
      hints: ["Move these files, or choose another folder."],
    },
  );
