import { dirname, join, relative, sep } from "node:path";
import type { DocumentRow, DocumentRows } from "../documents/document-rows.ts";
import type { Root } from "../documents/documents.ts";
import { sha256Hex } from "../files/hashes.ts";
import { type Boundary, containsPath } from "../paths/boundary.ts";
import type { Steps } from "../storage/steps.ts";

interface HiddenRowOptions {
  rows: DocumentRows;
  findRoot(name: string): Root | undefined;
  boundary: Boundary;
}

/** Maximum number of documents with the same content to check. */
const maxCopies = 100;

/**
 * The documents of files that have become private. They are also found by content, because a file
 * may have hard links at unknown paths.
 */
export function* findHiddenRows(
  paths: readonly string[],
  { rows, findRoot, boundary }: HiddenRowOptions,
): Steps<DocumentRow[]> {
  const roots = (yield* rows.roots()).flatMap((name) => findRoot(name) ?? []);
  const named: DocumentRow[] = [];
  for (const root of roots) {
    for (const path of relativePathsUnder(root, paths)) {
      for (const row of yield* rows.atOrBelowPath(root.name, path)) named.push(row);
    }
  }
  const hashes = paths.flatMap((path) => hashFileContent(boundary, path) ?? []);
  const sameContent = yield* rows.withHashes([...new Set(hashes)], maxCopies);
  const isHidden = ({ root, path }: DocumentRow): boolean => {
    const folder = findRoot(root)?.path;
    return folder !== undefined && boundary.isHidden(join(folder, path));
  };
  return [
    ...new Map([...named, ...sameContent].filter(isHidden).map((row) => [row.id, row])).values(),
  ];
}

function hashFileContent(boundary: Boundary, path: string): string | undefined {
  try {
    return sha256Hex(boundary.unrestricted.readFile(path, dirname(path)));
  } catch {
    return undefined;
  }
}

/** The paths under a root, relative to it and without duplicates. */
export function relativePathsUnder(root: Root, paths: readonly string[]): string[] {
  const inside = paths.filter((path) => containsPath(root.path, path));
  return [...new Set(inside.map((path) => relative(root.path, path).split(sep).join("/")))];
}
