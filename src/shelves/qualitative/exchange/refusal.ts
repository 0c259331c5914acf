import { basename, extname } from "node:path";
import { Failure, reasonOf } from "../../../kernel/failure.ts";

export const notImported = (
  reason: string,
  message: string,
  kind: "invalid" | "conflict" = "invalid",
): Failure => new Failure(kind, `PROJECT_NOT_IMPORTED/${reason}`, message);

/** Readers of formats say in a few words what is wrong; here it becomes a sentence about the file. */
export async function namingFile<Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "unreadable-file") throw error;
    const name = basename(file, extname(file));
    throw notImported("UNREADABLE", `'${name}' cannot be read: ${reasonOf(error)}.`);
  }
}
