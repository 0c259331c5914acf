import { type BracketToken, findBracketTokens } from "./brackets.ts";
import type { LineIndex, SourceLines } from "./source.ts";

export interface ObjectHeading {
  level: number;
  line: LineIndex;
  /** The index of the line after its own text: the next heading of any level. */
  bodyEnd: LineIndex;
  label: string;
  definition: ObjectDefinition | undefined;
  /** All definitions except the first, which is the one used. */
  extraDefinitions: ObjectDefinition[];
  /** Whether a heading directly below has a definition. */
  hasDefinedChild: boolean;
  /** Whether a heading directly below defines an object. */
  hasObjectChild: boolean;
  /** Whether any heading below has a definition. */
  hasDefinedBelow: boolean;
  /** The index of the first heading in the list that is not below this one. */
  next: number;
}

/** `[[id: Kind]]` in a heading. */
export interface ObjectDefinition {
  id: string;
  /** A lower-case keyword, `[]` for an array of objects, a kind, or nothing. */
  type: FieldType | "kind" | undefined;
  /** The kind of the object, or of the objects in the array. */
  kind: string | undefined;
  raw: string;
  /** The column of the first bracket. */
  column: number;
  /** The range of the id, for renaming. */
  idStart: number;
}

export type FieldType = "text" | "array" | "yaml" | "json" | "map" | "object_array";

const keywords: readonly string[] = ["text", "array", "yaml", "json", "map"];
const isKeyword = (word: string): word is FieldType => keywords.includes(word);

/** Headings with any number of `#`, except in code fences and HTML comments. */
export function readObjectHeadings({ lines, fences }: SourceLines): ObjectHeading[] {
  const headings: ObjectHeading[] = [];
  const ancestors: ObjectHeading[] = [];
  for (const [line, text] of lines.entries()) {
    if (text[0] !== "#" || fences[line]) continue;
    const heading = readHeading(text, line, lines.length);
    if (!heading) continue;
    const previous = headings.at(-1);
    if (previous) previous.bodyEnd = line;
    while ((ancestors.at(-1)?.level ?? 0) >= heading.level) {
      const ended = ancestors.pop();
      if (ended) ended.next = headings.length;
    }
    if (heading.definition) markAncestors(ancestors, heading.definition);
    headings.push(heading);
    ancestors.push(heading);
  }
  for (const heading of ancestors) heading.next = headings.length;
  return headings;
}

function markAncestors(
  ancestors: readonly ObjectHeading[],
  { type, kind = "" }: ObjectDefinition,
): void {
  const parent = ancestors.at(-1);
  if (parent && !flatKinds.has(kind)) parent.hasDefinedChild = true;
  if (parent && (type === undefined || type === "kind")) parent.hasObjectChild = true;
  for (let at = ancestors.length - 1; at >= 0 && !ancestors[at]?.hasDefinedBelow; at--) {
    const heading = ancestors[at];
    if (heading) heading.hasDefinedBelow = true;
  }
}

/** Kinds whose children keep their own ids. */
export const flatKinds: ReadonlySet<string> = new Set(["__Workspace", "__Namespace"]);

function readHeading(text: string, line: LineIndex, bodyEnd: LineIndex): ObjectHeading | undefined {
  let level = 1;
  while (text[level] === "#") level++;
  if (level < text.length && text[level] !== " " && text[level] !== "\t") return undefined;
  const brackets = findBracketTokens(text);
  const definitions = brackets.filter(isDefinition).map(readDefinition);
  const label = labelOf(text, level, brackets);
  return {
    level,
    line,
    bodyEnd,
    label: definitions.length > 0 ? label : withoutClosingMarks(label),
    definition: definitions[0],
    extraDefinitions: definitions.slice(1),
    hasDefinedChild: false,
    hasObjectChild: false,
    hasDefinedBelow: false,
    next: 0,
  };
}

/** The heading text without `#` marks and `[[…]]`. */
function labelOf(text: string, level: number, brackets: readonly BracketToken[]): string {
  let label = "";
  let from = level;
  for (const { start, end } of brackets) {
    label += `${text.slice(from, start)} `;
    from = end;
  }
  label = (label + text.slice(from)).trim().replace(/\s+/g, " ");
  // Removing nested brackets may create another pair, so repeat.
  return findBracketTokens(label).length > 0 ? label.replace(/\[\[|\]\]/g, "").trim() : label;
}

/** Removes a closing sequence: `## Title ##`. */
function withoutClosingMarks(label: string): string {
  let end = label.length;
  while (label[end - 1] === "#") end--;
  return end === 0 || label[end - 1] === " " ? label.slice(0, end).trimEnd() : label;
}

/** `[[#id]]` is a reference and not a definition; ids contain no brackets. */
const isDefinition = ({ inner }: BracketToken): boolean =>
  !inner.startsWith("#") && !/^[^:]*[[\]]/.test(inner);

function readDefinition({ start, inner }: BracketToken): ObjectDefinition {
  const colon = inner.indexOf(":");
  const written = colon < 0 ? inner : inner.slice(0, colon);
  const type = colon < 0 ? "" : inner.slice(colon + 1).trim();
  const idStart = start + 2 + (written.length - written.trimStart().length);
  const common = { id: written.trim(), raw: `[[${inner}]]`, column: start, idStart };
  if (type === "") return { ...common, type: undefined, kind: undefined };
  if (type.startsWith("[") && type.endsWith("]")) {
    return { ...common, type: "object_array", kind: type.slice(1, -1).trim() || undefined };
  }
  const keyword = type.toLowerCase();
  if (isKeyword(keyword)) return { ...common, type: keyword, kind: undefined };
  return { ...common, type: "kind", kind: type };
}
