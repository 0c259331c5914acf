import * as z from "zod";
import { shorten } from "../../text/shorten.ts";
import { visible } from "../../text/visible.ts";

/** The number of an entry, as JSON or as a path and a shell write it. */
export const entryNumber = z
  .union([z.int().min(1), z.string().regex(/^[1-9]\d{0,14}$/)], {
    error: "give the number that the list shows",
  })
  .transform(Number);

/** The project that an entry belongs to, and in which alone it is applied or undone. */
export const Project = z.object({ root: z.string(), name: z.string() });

/** Who did something: the surface, and the client's own name where it gave one. */
export const Actor = z.object({ surface: z.string(), client: z.string().optional() });

export const nameOfActor = ({ surface, client }: z.output<typeof Actor>): string =>
  client ? `${shorten(visible(client))} (${surface})` : surface;
