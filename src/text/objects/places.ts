import { countBelow } from "../ascending.ts";
import type { Fields } from "./value.ts";

/** Where an object stands in its file. Lines are counted from one, columns in UTF-16 units. */
export interface ObjectPlace {
  object: Fields;
  /** The line of its heading. */
  line: number;
  /** The last line before the heading that ends it; what is nested in it lies in between. */
  endLine: number;
  /** The letters of its id in the heading, when it has one there; the end is exclusive. */
  id: { line: number; start: number; end: number } | undefined;
}

/** The innermost object that a line lies in. */
export function objectAtLine(places: readonly ObjectPlace[], line: number): Fields | undefined {
  // Of those that begin before the line the last one that is not over holds it.
  const begun = countBelow(places, (place) => place.line <= line);
  for (let at = begun - 1; at >= 0; at--) {
    const place = places[at];
    if (place && place.endLine >= line) return place.object;
  }
  return undefined;
}
