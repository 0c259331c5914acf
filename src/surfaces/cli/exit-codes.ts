import type { FailureKind } from "../../kernel/failure.ts";

/** The exit code of each kind of failure, for scripts. */
export const exitCodes: Record<FailureKind, number> = {
  internal: 1,
  invalid: 2,
  "not-found": 3,
  conflict: 4,
  forbidden: 5,
  "too-large": 6,
  unavailable: 7,
};

/** The exit code for Ctrl+C, by shell convention: 128 + SIGINT. */
export const interruptedCode = 130;

export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [0, "Success. An empty result is not an error."],
  [exitCodes.internal, "An internal error, or a check that found problems, such as 'doctor'."],
  [exitCodes.invalid, "An invalid command, flag or value. Nothing was done."],
  [exitCodes["not-found"], "Not found: a document, collection or object."],
  [exitCodes.conflict, "A conflict with the current state: a name in use, no open project."],
  [exitCodes.forbidden, "Not allowed: a path outside --force-root, a write under --read-only."],
  [exitCodes["too-large"], "A limit was exceeded: a file that is too large."],
  [exitCodes.unavailable, "A required resource is unavailable: a model, an index or a server."],
  [interruptedCode, "Interrupted by Ctrl+C."],
];
