import { Failure } from "../failure.ts";

/** Why a file cannot be read. The reason follows the file's name: "plan.pdf: it is damaged". */
export const unreadableFile = (reason: string, cause?: unknown): Failure =>
  new Failure("invalid", "unreadable-file", reason, { cause });

export const damagedFile = (cause?: unknown): Failure => unreadableFile("it is damaged", cause);
