import { join } from "node:path";
import { Failure, failureReason } from "../../../kernel/failure.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";

/** Configuration files and manifests are short; longer files are ignored. */
const maxConfigBytes = 1024 * 1024;

/** The text of a file of the repository; undefined if it cannot be read. */
export function readRepositoryText(
  boundary: Boundary,
  root: string,
  file: string,
  maxBytes = maxConfigBytes,
): string | undefined {
  try {
    return decodeText(boundary.readFile(join(root, file), root, maxBytes));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The bytes of a file of the repository, or the reason why it cannot be read. */
export function readRepositoryBytes(
  boundary: Boundary,
  root: string,
  file: string,
  maxBytes: number,
): { bytes: Buffer } | { problem: string } {
  try {
    return { bytes: boundary.readFile(join(root, file), root, maxBytes) };
  } catch (error) {
    if (error instanceof Failure) return { problem: failureReason(error) };
    throw error;
  }
}
