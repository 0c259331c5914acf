import type { FailureKind } from "../../kernel/failure.ts";

/** A closed list, so that a script can tell what went wrong without reading English. */
export const exitCodes: Record<FailureKind, number> = {
  internal: 1,
  invalid: 2,
  "not-found": 3,
  conflict: 4,
  forbidden: 5,
  "too-large": 6,
  unavailable: 7,
};

/** What a shell itself reports for a program that Ctrl+C ended: 128 and the signal's number. */
export const interruptedCode = 130;

export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [0, "It worked. Finding nothing is no failure."],
  [exitCodes.internal, "A fault of the program; also a check that failed, as 'doctor' makes them."],
  [exitCodes.invalid, "A wrong command, flag or value. Nothing was done."],
  [exitCodes["not-found"], "The document, collection or object named is not there."],
  [exitCodes.conflict, "It does not fit what is there: a name is taken, no project is open."],
  [exitCodes.forbidden, "Refused: outside of --force-root, or a write under --read-only."],
  [exitCodes["too-large"], "More than a limit allows."],
  [exitCodes.unavailable, "Something it needs is missing now: a model, an index, a server."],
  [interruptedCode, "Stopped by Ctrl+C."],
];
