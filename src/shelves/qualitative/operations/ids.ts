import * as z from "zod";

/** The number of something in the project, as JSON or as text writes it. */
export const idInput = z
  .unknown()
  .refine(isWhole, { error: "give a whole number" })
  .transform(Number)
  .meta({ type: ["integer", "string"] });

function isWhole(given: unknown): boolean {
  if (typeof given !== "number" && typeof given !== "string") return false;
  return /^-?\d{1,15}$/.test(String(given));
}

/** Positions in a text. */
export const position = z.int();

/** The number of a change in the list of activity, by which a person undoes it. */
export const changeId = z.int();
