import { relative, sep } from "node:path";
import { contains } from "./boundary.ts";
import type { Root } from "./documents.ts";

/** The places that lie under a root, relative to it and without repetition. */
export function pathsUnder(root: Root, places: readonly string[]): string[] {
  const inside = places.filter((place) => contains(root.path, place));
  return [...new Set(inside.map((place) => relative(root.path, place).split(sep).join("/")))];
}
