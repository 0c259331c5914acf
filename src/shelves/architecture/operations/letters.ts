import * as z from "zod";

/** A text that is there, of at most so many letters as people count them: code points. */
export const lettersUpTo = (most: number) =>
  z
    .string()
    .refine((text) => text.trim() !== "", { error: "must not be empty" })
    .refine((text) => text.length <= most || [...text].length <= most, {
      error: `must have at most ${most} characters`,
    })
    .meta({ minLength: 1, maxLength: most });
