import { type Bullet, listsBelow } from "./blocks.ts";
import { isReserved } from "./record-keys.ts";
import { readItems, readScalar } from "./scalars.ts";
import { indentOf, isBlank, type LineIndex, type Source } from "./source.ts";
import { isNumeral, type Value } from "./value.ts";

/** `- key: value`, as far as its first line tells. */
export interface KeyedBullet extends Bullet {
  key: string;
  /** What stands behind the colon, on the first line. */
  rest: string;
}

/** The key of a bullet that is a field. */
export function keyed(bullet: Bullet): KeyedBullet | undefined {
  const found = /^([A-Za-z_][A-Za-z0-9_]*)\s*:\s*/.exec(bullet.text);
  const key = found?.[1];
  if (!found || key === undefined || isReserved(key)) return undefined;
  return { ...bullet, key, rest: bullet.text.slice(found[0].length) };
}

/** Letters of any script, digits, `_`, `-` and `.`: a map has keys of its author's choice. */
export function mapKeyed(bullet: Bullet): KeyedBullet | undefined {
  const found = /^([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*)\s*:(?:\s+|$)/u.exec(bullet.text);
  if (!found) return undefined;
  return { ...bullet, key: found[1] ?? "", rest: bullet.text.slice(found[0].length) };
}

/** Whether a bullet looks like a field whose key is none: `two words: value`. */
export function looksKeyed({ text }: Bullet): boolean {
  const colon = text.indexOf(":");
  return colon > 0 && (colon + 1 === text.length || /\s/.test(text[colon + 1] ?? ""));
}

/** The value of a field, and the syntax if it is one that must be remembered. */
export interface FieldValue {
  value: Value;
  syntax?: string;
}

/** Nothing when there is a list or a fence below the bullet, which a field cannot hold. */
export function readField(source: Source, bullet: KeyedBullet): FieldValue | undefined {
  if (bullet.rest === "|") return { value: pipeText(source, bullet), syntax: "yaml_multiline" };
  const below = linesBelow(source, bullet);
  if (bullet.rest === "[" && below.at(-1)?.trim() === "]") {
    const items = below.slice(0, -1).flatMap((line) => readItems(line) ?? [line.trim()]);
    return { value: items, syntax: "yaml_multiline_array" };
  }
  if (holdsBlocks(source, bullet)) return undefined;
  return readScalar([bullet.rest, ...below.map((line) => line.trim())].join(" "));
}

/** The same for an entry of a map, where everything is text. */
export function readMapValue(source: Source, bullet: KeyedBullet): string | undefined {
  if (bullet.rest === "|") return pipeText(source, bullet);
  if (holdsBlocks(source, bullet)) return undefined;
  return [bullet.rest, ...linesBelow(source, bullet).map((line) => line.trim())].join(" ").trim();
}

const linesBelow = ({ lines }: Source, { start, end }: Bullet): string[] =>
  lines.slice(start + 1, end).filter((line) => !isBlank(line));

/** Whether more than the words of its value stands below a bullet: a list or a fence. */
const holdsBlocks = (source: Source, bullet: Bullet): boolean =>
  source.fences.slice(bullet.start + 1, bullet.end).some(Boolean) ||
  linesBelow(source, bullet).some(listsBelow);

export const isPipe = ({ rest }: KeyedBullet): boolean => rest === "|";

/** The lines below `key: |`, word for word, without the blanks that all of them begin with. */
function pipeText({ raw, lines }: Source, { start, end }: Bullet): string {
  const isOutside = (at: LineIndex) => isBlank(lines[at]) && indentOf(raw[at] ?? "") < 2;
  return dedented(
    raw.slice(start + 1, end).map((line, at) => (isOutside(start + 1 + at) ? "" : line)),
  );
}

function dedented(own: readonly string[]): string {
  let indent = Number.POSITIVE_INFINITY;
  for (const line of own) {
    if (!isBlank(line)) indent = Math.min(indent, line.length - line.trimStart().length);
  }
  return own.map((line) => (isBlank(line) ? "" : line.slice(indent))).join("\n");
}

/** An item of an array in a list: its lines, as far in as the first. */
export function readListItem({ lines }: Source, { start, end, text }: Bullet): Value {
  const below = dedented(lines.slice(start + 1, end));
  return below === "" ? readScalar(text).value : `${text}\n${below}`;
}

/** The name of a value's type, as it stands in `__types`. */
export function typeName(value: Value): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumeral(value)) return "number";
  return typeof value;
}
