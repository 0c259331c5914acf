import * as z from "zod";

/** A non-empty text with a maximum length in code points. */
export const textUpTo = (maxLength: number) =>
  z
    .string()
    .refine((text) => text.trim() !== "", { error: "must not be empty" })
    .refine((text) => text.length <= maxLength || [...text].length <= maxLength, {
      error: `must have at most ${maxLength} characters`,
    })
    .meta({ minLength: 1, maxLength: maxLength });
