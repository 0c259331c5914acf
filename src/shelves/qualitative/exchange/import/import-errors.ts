import { basename, extname } from "node:path";
import { Failure, failureReason } from "../../../../kernel/failure.ts";

export const projectNotImported = (
  reason: string,
  message: string,
  kind: "invalid" | "conflict" = "invalid",
): Failure => new Failure(kind, `PROJECT_NOT_IMPORTED/${reason}`, message);

/** Adds the file's name to the short reason that a format reader gives. */
export async function withFileNamedInErrors<Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "unreadable-file") throw error;
    const name = basename(file, extname(file));
    throw projectNotImported("UNREADABLE", `'${name}' cannot be read: ${failureReason(error)}.`);
  }
}
