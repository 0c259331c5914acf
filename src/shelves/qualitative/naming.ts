import { Failure } from "../../kernel/failure.ts";

/** Sources may have longer names than codes, categories, cases and journals, and are told apart. */
const kinds = {
  other: {
    most: 100,
    what: "The name",
    taken: (name: string) => `The name '${name}' is taken already`,
  },
  source: {
    most: 255,
    what: "Source name",
    taken: (name: string) => `Source with name '${name}' already exists`,
  },
};

/** A name has letters, not too many, and differs from all others without case. */
export function refuseBadName(
  name: string,
  named: readonly { name: string }[],
  task: string,
  kind: keyof typeof kinds = "other",
): void {
  const { most, what, taken } = kinds[kind];
  const refuse = (reason: string, message: string) =>
    new Failure(reason === "DUPLICATE_NAME" ? "conflict" : "invalid", `${task}/${reason}`, message);
  if (name.trim() === "") throw refuse("EMPTY_NAME", `${what} cannot be empty`);
  if ([...name].length > most) throw refuse("NAME_TOO_LONG", `${what} has over ${most} letters`);
  if (!name.isWellFormed()) throw refuse("INVALID_NAME", `${what} holds half of a character`);
  if (isTaken(named, name)) throw refuse("DUPLICATE_NAME", taken(name));
}

/** Names are compared without case, as people read them. */
export const isTaken = (named: readonly { name: string }[], name: string): boolean =>
  named.some((one) => one.name.toLowerCase() === name.toLowerCase());
