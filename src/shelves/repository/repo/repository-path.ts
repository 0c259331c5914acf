import { Failure } from "../../../kernel/failure.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";

/** The real path of a folder that a caller passes as a repository. */
export function resolveRepository(boundary: Boundary, path: string): string {
  const real = resolvePath(boundary, path);
  if (isFolder(real)) return real;
  throw new Failure("invalid", "not-a-folder", "Repository path is not a folder");
}

function resolvePath(boundary: Boundary, path: string): string {
  try {
    return boundary.resolvePath(path);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "not-found") throw error;
    if (remoteUrl.test(path)) {
      throw new Failure("invalid", "not-a-path", "The repository must be a local path, not a URL", {
        hints: ["Clone it, and pass the folder of the clone: nothing is fetched."],
      });
    }
    // Worded as in the founding document.
    throw new Failure("not-found", "not-found", "Repository path does not exist");
  }
}

/** `https://example.org/lamp`, `git@example.org:lamp.git`; but not a drive letter. */
const remoteUrl = /^([a-z][a-z+]+:\/\/|[\w.-]+@[\w.-]+:)/i;
