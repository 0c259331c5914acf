import * as z from "zod";

/** The id of a row, as a JSON number or as digits in a path or at a shell. */
export const rowIdInput = z
  .unknown()
  .refine(isWholeNumber, { error: "give a whole number" })
  .transform(Number)
  .meta({ type: ["integer", "string"] });

function isWholeNumber(value: unknown): boolean {
  if (typeof value !== "number" && typeof value !== "string") return false;
  return /^-?\d{1,15}$/.test(String(value));
}

/** In code points. */
export const textPosition = z.int();

/** The id of a change in the list of activity, with which a person can undo it. */
export const changeId = z.int();
