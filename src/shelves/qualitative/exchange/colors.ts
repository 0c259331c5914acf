import { wholeColor } from "../color.ts";
import type { Losses } from "./losses.ts";

/** Light colors that tell highlights apart, for codes of programs and lists that have none. */
const colors = [
  ...["#E6B0AA", "#AED6F1", "#A9DFBF", "#F9E79F", "#D7BDE2", "#F5CBA7"],
  ...["#A3E4D7", "#C5CAE9", "#DCE775", "#F8BBD0", "#BCAAA4", "#D5DBDB"],
];

/** The color of the code in this place, the first again behind the last. */
export const colorAt = (place: number): string => colors[place % colors.length] ?? "#999999";

/** The color of a code as we keep it; null where it has none, or none that can be read. */
export function keptColor(
  given: string | null | undefined,
  name: string,
  losses: Losses,
): string | null {
  if (!given) return null;
  const color = wholeColor(given);
  if (color !== undefined) return color;
  losses.add("dropped", "Colors that are not written as #RRGGBB", `${name} ${given}`);
  return null;
}
