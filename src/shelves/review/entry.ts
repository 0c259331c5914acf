import * as z from "zod";
import { toPrintable } from "../../text/strings/printable.ts";
import { shorten } from "../../text/strings/shorten.ts";

/** The id of an entry, as a JSON number or as digits in a path or at a shell. */
export const entryNumber = z
  .union([z.int().min(1), z.string().regex(/^[1-9]\d{0,14}$/)], {
    error: "give an id from the list",
  })
  .transform(Number);

/** The project of an entry. The entry can be applied or undone only there. */
export const ProjectOutput = z.object({ root: z.string(), name: z.string() });

/** Who made a change: the surface, and the client's name if it gave one. */
export const ActorOutput = z.object({ surface: z.string(), client: z.string().optional() });

export const formatActor = ({ surface, client }: z.output<typeof ActorOutput>): string =>
  client ? `${shorten(toPrintable(client))} (${surface})` : surface;
