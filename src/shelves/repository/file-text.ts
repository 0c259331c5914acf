import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { decode } from "../../text/decoding.ts";

/** Configurations and manifests are short; what is longer is none that we could judge. */
const longestConfig = 1024 * 1024;

/** The text of a file of the repository, or nothing where there is none that can be read. */
export function textOf(
  boundary: Boundary,
  root: string,
  file: string,
  longest = longestConfig,
): string | undefined {
  try {
    return decode(boundary.readFile(join(root, file), root, longest));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
