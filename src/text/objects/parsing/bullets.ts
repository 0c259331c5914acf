import { elementAt } from "../../arrays/element-at.ts";
import { isReservedKey } from "../record-keys.ts";
import { parseArrayItems, parseScalar } from "../values/scalars.ts";
import { isNumeral, type Value } from "../values/value.ts";
import { type Bullet, listsBelow } from "./blocks.ts";
import { indentOf, isBlank, type LineIndex, type SourceLines } from "./source.ts";

/** The first line of `- key: value`. */
export interface KeyedBullet extends Bullet {
  key: string;
  /** The text after the colon, on the first line. */
  rest: string;
}

/** The key of a bullet that is a field. */
export function parseKeyedBullet(bullet: Bullet): KeyedBullet | undefined {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)\s*:\s*/.exec(bullet.text);
  const key = match?.[1];
  if (!match || key === undefined || isReservedKey(key)) return undefined;
  return { ...bullet, key, rest: bullet.text.slice(match[0].length) };
}

/** Map keys are free: letters of any script, digits, `_`, `-` and `.`. */
export function parseMapBullet(bullet: Bullet): KeyedBullet | undefined {
  const match = /^([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*)\s*:(?:\s+|$)/u.exec(bullet.text);
  if (!match) return undefined;
  return { ...bullet, key: match[1] ?? "", rest: bullet.text.slice(match[0].length) };
}

/** Whether a bullet looks like a field but its key is invalid: `two words: value`. */
export function looksKeyed({ text }: Bullet): boolean {
  const colon = text.indexOf(":");
  return colon > 0 && (colon + 1 === text.length || /\s/.test(text[colon + 1] ?? ""));
}

/** The value of a field, and its syntax if it has to be stored. */
export interface FieldValue {
  value: Value;
  syntax?: string;
}

/** Undefined if a list or a code fence follows below, which a field cannot contain. */
export function parseFieldValue(source: SourceLines, bullet: KeyedBullet): FieldValue | undefined {
  if (bullet.rest === "|") return { value: pipeText(source, bullet), syntax: "yaml_multiline" };
  const below = linesBelow(source, bullet);
  if (bullet.rest === "[" && below.at(-1)?.trim() === "]") {
    const items = below.slice(0, -1).flatMap((line) => parseArrayItems(line) ?? [line.trim()]);
    return { value: items, syntax: "yaml_multiline_array" };
  }
  if (containsBlocks(source, bullet)) return undefined;
  return parseScalar([bullet.rest, ...below.map((line) => line.trim())].join(" "));
}

/** The same for a map entry, whose value is always text. */
export function parseMapValue(source: SourceLines, bullet: KeyedBullet): string | undefined {
  if (bullet.rest === "|") return pipeText(source, bullet);
  if (containsBlocks(source, bullet)) return undefined;
  return [bullet.rest, ...linesBelow(source, bullet).map((line) => line.trim())].join(" ").trim();
}

const linesBelow = ({ lines }: SourceLines, { start, end }: Bullet): string[] =>
  lines.slice(start + 1, end).filter((line) => !isBlank(line));

/** Whether a bullet contains a list or a code fence below its text. */
const containsBlocks = (source: SourceLines, bullet: Bullet): boolean =>
  source.fences.slice(bullet.start + 1, bullet.end).some(Boolean) ||
  linesBelow(source, bullet).some(listsBelow);

export const isPipeText = ({ rest }: KeyedBullet): boolean => rest === "|";

/** The lines below `key: |`, verbatim, without their common indentation. */
function pipeText({ raw, lines }: SourceLines, { start, end }: Bullet): string {
  const isOutside = (at: LineIndex) => isBlank(lines[at]) && indentOf(elementAt(raw, at)) < 2;
  return dedent(
    raw.slice(start + 1, end).map((line, at) => (isOutside(start + 1 + at) ? "" : line)),
  );
}

function dedent(lines: readonly string[]): string {
  let indent = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (!isBlank(line)) indent = Math.min(indent, line.length - line.trimStart().length);
  }
  return lines.map((line) => (isBlank(line) ? "" : line.slice(indent))).join("\n");
}

/** An item of an array, dedented to the indentation of its first line. */
export function parseListItem({ lines }: SourceLines, { start, end, text }: Bullet): Value {
  const below = dedent(lines.slice(start + 1, end));
  return below === "" ? parseScalar(text).value : `${text}\n${below}`;
}

/** The type name of a value, as stored in `__types`. */
export function typeName(value: Value): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumeral(value)) return "number";
  return typeof value;
}
