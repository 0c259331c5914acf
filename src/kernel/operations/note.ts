import * as z from "zod";

/**
 * Something that a reader should know about a result: a word that was corrected, a filter that
 * matches nothing, a step that was skipped. An output has `notes` only if there is one. Surfaces
 * show the messages beside the result, so `present` does not repeat them.
 */
const Note = z.looseObject({
  kind: z.enum(["spelling", "exclusion", "filter", "language", "model", "incomplete"]),
  message: z.string(),
});

export type Note = z.output<typeof Note>;

/** Spread into the output of an operation. */
export const notesShape = { notes: z.array(Note).optional() };

/** The notes of an output. */
export const notesOf = (output: Readonly<Record<string, unknown>>): Note[] =>
  notesSchema.safeParse(output.notes).data ?? [];

/** The messages of an output's notes, each once. */
export const noteMessages = (output: Readonly<Record<string, unknown>>): string[] => [
  ...new Set(notesOf(output).map(({ message }) => message)),
];

const notesSchema = z.array(Note);

/** `{notes}` for an output; nothing without notes. Equal messages are one note. */
export function outputNotes(notes: readonly Note[]): { notes?: Note[] } {
  const unique = new Map(notes.map((note) => [note.message, note]));
  return unique.size === 0 ? {} : { notes: [...unique.values()] };
}
