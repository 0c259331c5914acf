import { pathMeant, readDestination } from "../../src/text/link-destination.ts";
import type { Address } from "../address.ts";
import { outside } from "../markdown/outside.ts";
import { decisionAt, place } from "./place.ts";

/**
 * Where a link of a document leads: to another decision, to a document of the architecture, or out
 * of the library. Undefined for what cannot be opened here.
 */
export function destinationIn(
  file: string,
  written: string,
  decisions: ReadonlyMap<string, unknown>,
): Address | string | undefined {
  if (/^architecture:\/\//.test(written)) return place("document", written);
  const read = readDestination(written);
  if (read.kind !== "local") return outside(written);
  const known = pathMeant(read, file);
  return known !== undefined && decisions.has(known) ? decisionAt(known) : undefined;
}
