import { Failure } from "../../../kernel/failure.ts";

/**
 * Sources may have longer names, and other error codes, than codes, categories, cases and journals.
 */
const nameRules = {
  other: {
    maxLength: 100,
    what: "The name",
    taken: (name: string) => `The name '${name}' is already in use`,
  },
  source: {
    maxLength: 255,
    what: "Source name",
    taken: (name: string) => `Source with name '${name}' already exists`,
  },
};

/** A name must be non-empty, short enough and unique without regard to case. */
export function assertValidName(
  name: string,
  existing: readonly { name: string }[],
  errorCode: string,
  kind: keyof typeof nameRules = "other",
): void {
  const { maxLength, what, taken } = nameRules[kind];
  const nameFailure = (reason: string, message: string) =>
    new Failure(
      reason === "DUPLICATE_NAME" ? "conflict" : "invalid",
      `${errorCode}/${reason}`,
      message,
    );
  if (name.trim() === "") throw nameFailure("EMPTY_NAME", `${what} cannot be empty`);
  if ([...name].length > maxLength)
    throw nameFailure("NAME_TOO_LONG", `${what} is longer than ${maxLength} characters`);
  if (!name.isWellFormed()) throw nameFailure("INVALID_NAME", `${what} contains a lone surrogate`);
  if (isNameTaken(existing, name)) throw nameFailure("DUPLICATE_NAME", taken(name));
}

/** Case-insensitive. */
export const isNameTaken = (existing: readonly { name: string }[], name: string): boolean =>
  existing.some((one) => one.name.toLowerCase() === name.toLowerCase());
