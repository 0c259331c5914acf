import { Failure } from "../failure.ts";

/** Why a file says nothing to us, in words that follow its name: "plan.pdf: it is damaged". */
export const unreadable = (reason: string, cause?: unknown): Failure =>
  new Failure("invalid", "unreadable-file", reason, { cause });

export const damaged = (cause?: unknown): Failure => unreadable("it is damaged", cause);
