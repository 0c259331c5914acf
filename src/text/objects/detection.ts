import { type Block, blocksOf, listsBelow } from "./blocks.ts";
import { isFieldList } from "./body.ts";
import type { FieldType, Heading } from "./headings.ts";
import type { Source } from "./source.ts";

/** What stands between a heading and the next one. */
export const blocksBelow = (source: Source, { line, bodyEnd }: Heading): Block[] =>
  blocksOf(source, line + 1, bodyEnd);

/**
 * Whether a heading without a definition is an object: it has fields of its own, or in headings
 * directly below it. The latter do not make an object of the title of a file.
 */
export function hasFields(source: Source, heading: Heading): boolean {
  if (heading.level > 1 && heading.hasDefinedChild) return true;
  return blocksBelow(source, heading).some(isFieldList);
}

/** `[[f]]` says no type: keys make an object, a list alone an array, anything else a text. */
export function detectedType(
  source: Source,
  heading: Heading,
  hasHeadingsBelow: boolean,
): FieldType | "kind" {
  if (heading.hasDefinedBelow) return "kind";
  const blocks = blocksBelow(source, heading);
  if (blocks.some(isFieldList)) return "kind";
  if (blocks.length === 0 && !hasHeadingsBelow) return "kind";
  const isList = blocks.every((block) => block.type === "bullets" && isFlat(source, block));
  return isList && !hasHeadingsBelow ? "array" : "text";
}

const isFlat = ({ lines }: Source, { start, end }: Block): boolean =>
  !lines.slice(start, end).some((line) => /^\s/.test(line) && listsBelow(line));
