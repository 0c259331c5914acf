import type { Dirent } from "node:fs";
import { join } from "node:path";
import { type Boundary, containsPath } from "../../kernel/paths/boundary.ts";

/**
 * The entries of a folder; none if it cannot be read or is a link out of the root. A link to a file
 * is checked when the file is read.
 */
export function folderEntries(boundary: Boundary, root: string, folder: string): Dirent[] {
  try {
    const real = boundary.assertAllowed(join(root, folder));
    return containsPath(root, real) ? boundary.entries(real) : [];
  } catch {
    return [];
  }
}
