import { countBelow } from "../arrays/binary-search.ts";
import type { Fields } from "./values/value.ts";

/** The position of an object in its file. Lines count from 1, columns are in UTF-16 units. */
export interface ObjectPosition {
  object: Fields;
  /** The line of its heading. */
  line: number;
  /** The last line before the heading that ends the object, including nested objects. */
  endLine: number;
  /** The range of its id in the heading, if it has one; the end is exclusive. */
  id: { line: number; start: number; end: number } | undefined;
}

/** The innermost object that contains a line. */
export function objectAtLine(
  positions: readonly ObjectPosition[],
  line: number,
): Fields | undefined {
  // The last object that starts before the line and has not ended contains it.
  const started = countBelow(positions, (position) => position.line <= line);
  for (let at = started - 1; at >= 0; at--) {
    const position = positions[at];
    if (position && position.endLine >= line) return position.object;
  }
  return undefined;
}
