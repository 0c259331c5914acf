import { type Block, listsBelow, parseBlocks } from "./blocks.ts";
import { isFieldList } from "./body.ts";
import type { FieldType, ObjectHeading } from "./object-headings.ts";
import type { SourceLines } from "./source.ts";

/** The lines between a heading and the next one. */
export const blocksBelow = (source: SourceLines, { line, bodyEnd }: ObjectHeading): Block[] =>
  parseBlocks(source, line + 1, bodyEnd);

/**
 * Whether a heading without a definition is an object: it has fields, or field headings directly
 * below it. The latter do not apply to the title of a file.
 */
export function hasFields(source: SourceLines, heading: ObjectHeading): boolean {
  if (heading.level > 1 && heading.hasDefinedChild) return true;
  return blocksBelow(source, heading).some(isFieldList);
}

/** The type of `[[f]]`: keys make an object, a list an array, anything else text. */
export function detectFieldType(
  source: SourceLines,
  heading: ObjectHeading,
  hasHeadingsBelow: boolean,
): FieldType | "kind" {
  if (heading.hasDefinedBelow) return "kind";
  const blocks = blocksBelow(source, heading);
  if (blocks.some(isFieldList)) return "kind";
  if (blocks.length === 0 && !hasHeadingsBelow) return "kind";
  const isList = blocks.every((block) => block.type === "bullets" && isFlat(source, block));
  return isList && !hasHeadingsBelow ? "array" : "text";
}

const isFlat = ({ lines }: SourceLines, { start, end }: Block): boolean =>
  !lines.slice(start, end).some((line) => /^\s/.test(line) && listsBelow(line));
