import { expandHexColor } from "../codebook/color.ts";
import type { LossReport } from "./losses.ts";

/** Distinct light colors for imported codes without a color. */
const defaultColors = [
  ...["#E6B0AA", "#AED6F1", "#A9DFBF", "#F9E79F", "#D7BDE2", "#F5CBA7"],
  ...["#A3E4D7", "#C5CAE9", "#DCE775", "#F8BBD0", "#BCAAA4", "#D5DBDB"],
];

/** The default color of the nth code; repeats after the last. */
export const defaultColorAt = (index: number): string =>
  defaultColors[index % defaultColors.length] ?? "#999999";

/** Reads the color of a code; null if it is missing or invalid. */
export function readImportedColor(
  text: string | null | undefined,
  name: string,
  losses: LossReport,
): string | null {
  if (!text) return null;
  const color = expandHexColor(text);
  if (color !== undefined) return color;
  losses.add("dropped", "Colors that are not written as #RRGGBB", `${name} ${text}`);
  return null;
}
