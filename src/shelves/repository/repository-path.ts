import type { Boundary } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { isFolder } from "../../kernel/path-kind.ts";

/** The real path of a folder that a caller names as a repository. */
export function enterRepository(boundary: Boundary, given: string): string {
  const real = entered(boundary, given);
  if (isFolder(real)) return real;
  throw new Failure("invalid", "not-a-folder", "Repository path is not a folder");
}

function entered(boundary: Boundary, given: string): string {
  try {
    return boundary.enter(given);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "not-found") throw error;
    if (isAddress.test(given)) {
      throw new Failure("invalid", "not-a-path", "The repository is given by its address", {
        hints: ["Nothing is fetched: clone it, and give the folder of the clone."],
      });
    }
    // The founding document prints these words.
    throw new Failure("not-found", "not-found", "Repository path does not exist");
  }
}

/** `https://example.org/lamp`, `git@example.org:lamp.git`; no letter of a drive. */
const isAddress = /^([a-z][a-z+]+:\/\/|[\w.-]+@[\w.-]+:)/i;
