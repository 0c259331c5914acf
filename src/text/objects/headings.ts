import { type Bracketed, bracketedIn } from "./brackets.ts";
import type { LineIndex, Source } from "./source.ts";

export interface Heading {
  level: number;
  line: LineIndex;
  /** The index of the line behind its own text: that of the next heading of any level. */
  bodyEnd: LineIndex;
  label: string;
  definition: Definition | undefined;
  /** All definitions but the first, which is the one that counts. */
  surplus: Definition[];
  /** Whether a heading directly below it defines something. */
  hasDefinedChild: boolean;
  /** Whether a heading directly below it defines an object. */
  hasObjectChild: boolean;
  /** Whether a heading anywhere below it defines something. */
  hasDefinedBelow: boolean;
  /** The index, in the list of headings, of the first one that is not below this one. */
  next: number;
}

/** `[[id: Kind]]` in a heading. */
export interface Definition {
  id: string;
  /** A keyword in small letters, `[]` for an array of objects, a kind, or nothing. */
  type: FieldType | "kind" | undefined;
  /** The kind of the object, or of the objects in the array. */
  kind: string | undefined;
  raw: string;
  /** The column of the first bracket. */
  column: number;
  /** Where the id stands, so that it can be renamed. */
  idStart: number;
}

export type FieldType = "text" | "array" | "yaml" | "json" | "map" | "object_array";

const keywords: readonly string[] = ["text", "array", "yaml", "json", "map"];
const isKeyword = (word: string): word is FieldType => keywords.includes(word);

/** Any number of `#` at the start of a line; not in fences and not in HTML comments. */
export function headingsOf({ lines, fences }: Source): Heading[] {
  const headings: Heading[] = [];
  const above: Heading[] = [];
  for (const [line, text] of lines.entries()) {
    if (text[0] !== "#" || fences[line]) continue;
    const heading = readHeading(text, line, lines.length);
    if (!heading) continue;
    const previous = headings.at(-1);
    if (previous) previous.bodyEnd = line;
    while ((above.at(-1)?.level ?? 0) >= heading.level) {
      const ended = above.pop();
      if (ended) ended.next = headings.length;
    }
    if (heading.definition) markAbove(above, heading.definition);
    headings.push(heading);
    above.push(heading);
  }
  for (const heading of above) heading.next = headings.length;
  return headings;
}

function markAbove(above: readonly Heading[], { type, kind = "" }: Definition): void {
  const parent = above.at(-1);
  if (parent && !flatKinds.has(kind)) parent.hasDefinedChild = true;
  if (parent && (type === undefined || type === "kind")) parent.hasObjectChild = true;
  for (let at = above.length - 1; at >= 0 && !above[at]?.hasDefinedBelow; at--) {
    const heading = above[at];
    if (heading) heading.hasDefinedBelow = true;
  }
}

/** Kinds whose children keep their own ids. */
export const flatKinds: ReadonlySet<string> = new Set(["__Workspace", "__Namespace"]);

function readHeading(text: string, line: LineIndex, bodyEnd: LineIndex): Heading | undefined {
  let level = 1;
  while (text[level] === "#") level++;
  if (level < text.length && text[level] !== " " && text[level] !== "\t") return undefined;
  const brackets = bracketedIn(text);
  const definitions = brackets.filter(isDefinition).map(readDefinition);
  const label = labelOf(text, level, brackets);
  return {
    level,
    line,
    bodyEnd,
    label: definitions.length > 0 ? label : withoutClosingMarks(label),
    definition: definitions[0],
    surplus: definitions.slice(1),
    hasDefinedChild: false,
    hasObjectChild: false,
    hasDefinedBelow: false,
    next: 0,
  };
}

/** What is left of a heading without its marks and everything in double brackets. */
function labelOf(text: string, level: number, brackets: readonly Bracketed[]): string {
  let label = "";
  let from = level;
  for (const { start, end } of brackets) {
    label += `${text.slice(from, start)} `;
    from = end;
  }
  label = (label + text.slice(from)).trim().replace(/\s+/g, " ");
  // What is left of brackets within brackets may look like a pair of them again.
  return bracketedIn(label).length > 0 ? label.replace(/\[\[|\]\]/g, "").trim() : label;
}

/** `## Title ##` may be closed as it was opened. */
function withoutClosingMarks(label: string): string {
  let end = label.length;
  while (label[end - 1] === "#") end--;
  return end === 0 || label[end - 1] === " " ? label.slice(0, end).trimEnd() : label;
}

/** `[[#id]]` is a reference, which has no meaning in a heading; brackets are no part of an id. */
const isDefinition = ({ inner }: Bracketed): boolean =>
  !inner.startsWith("#") && !/^[^:]*[[\]]/.test(inner);

function readDefinition({ start, inner }: Bracketed): Definition {
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
