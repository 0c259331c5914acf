import { longestRun } from "../longest-run.ts";
import { type BulletList, blocksOf } from "./blocks.ts";
import { keyed, mapKeyed, readField, readListItem, readMapValue } from "./bullets.ts";
import { jsonOrText } from "./heading-fields.ts";
import { printJson } from "./json.ts";
import { readScalar } from "./scalars.ts";
import { readSource, type Source } from "./source.ts";
import { type Fields, isNumeral, sameValue, type Value } from "./value.ts";
import { printYaml } from "./yaml-text.ts";

/**
 * The text of a field. Every form is read again before it is chosen, by the functions of the parser,
 * so that a value is never written in a way that would change it.
 */

/** `- key: value`, in the syntax that is asked for if it holds the value, or else in the next best. */
export function bulletFor(
  key: string,
  value: Value,
  syntax: string | undefined,
): string | undefined {
  return bulletForms(key, value, syntax).find((text) => readsBack(text, key, value, syntax));
}

function bulletForms(key: string, value: Value, syntax: string | undefined): string[] {
  if (Array.isArray(value)) {
    const inline = inlineArray(value);
    if (syntax === "comma_refs") return [`- ${key}: ${value.join(", ")}`];
    if (syntax === "yaml_multiline_array") {
      const items = value.map((item) => `    ${itemText(item)}`).join(",\n");
      return [value.length === 0 ? `- ${key}: [\n  ]` : `- ${key}: [\n${items}\n  ]`];
    }
    return [`- ${key}: ${inline}`];
  }
  if (typeof value !== "string") return [`- ${key}: ${literal(value)}`];
  const lines = value.split("\n").map((line) => (line === "" ? "" : `    ${line}`));
  const pipe = value === "" ? `- ${key}: |` : [`- ${key}: |`, ...lines].join("\n");
  if (syntax === "yaml_multiline") return [pipe];
  return [`- ${key}: ${value}`, `- ${key}: "${value}"`, `- ${key}: '${value}'`, pipe];
}

function readsBack(text: string, key: string, value: Value, syntax: string | undefined): boolean {
  const { source, list } = onlyList(text);
  const field = list?.items.length === 1 && list.items[0] ? keyed(list.items[0]) : undefined;
  if (field?.key !== key) return false;
  const read = readField(source, field);
  return read !== undefined && sameValue(read.value, value) && (!syntax || read.syntax === syntax);
}

/** The list that a text is, when it is one and nothing else. */
function onlyList(text: string): { source: Source; list: BulletList | undefined } {
  const source = readSource(text);
  const [block, ...more] = blocksOf(source, 0, source.lines.length);
  return { source, list: block?.type === "bullets" && more.length === 0 ? block : undefined };
}

const literal = (value: Exclude<Value, string>): string =>
  value !== null && typeof value === "object" && isNumeral(value)
    ? value.spelled
    : printJson(value);

/** A blank keeps the bracket of an array within from being taken for one of a reference. */
function inlineArray(items: readonly Value[]): string {
  const text = items.map(itemText).join(", ");
  return Array.isArray(items[0]) ? `[ ${text}]` : `[${text}]`;
}

/** Without quotes where the item means itself, at the start of an array and between others. */
function itemText(item: Value): string {
  if (Array.isArray(item)) return inlineArray(item);
  if (typeof item !== "string") return literal(item);
  const isPlain = sameValue(readScalar(`[${item}, x, ${item}, x]`).value, [item, "x", item, "x"]);
  if (isPlain) return item;
  return item.includes('"') ? `'${item}'` : `"${item}"`;
}

/** A list of bullets that is read as these items, if there is one. */
export function listFor(items: readonly Value[]): string | undefined {
  const text = items.map(listItemText).join("\n");
  if (items.length === 0) return "";
  const { source, list } = onlyList(text);
  const read = list?.items.map((item) => readListItem(source, item));
  return read && sameValue(read, [...items]) ? text : undefined;
}

function listItemText(item: Value): string {
  if (typeof item !== "string")
    return `- ${Array.isArray(item) ? inlineArray(item) : literal(item)}`;
  const [first = "", ...below] = item.split("\n");
  if (below.length > 0) {
    return [`- ${first}`, ...below.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
  }
  return sameValue(readScalar(first).value, first) ? `- ${first}` : `- "${first}"`;
}

/** A list of keys with texts that is read as this map, if there is one. */
export function mapFor(map: Fields): string | undefined {
  if (map.size === 0) return "";
  const texts = Array.from(map, ([key, value]) =>
    typeof value === "string" ? mapEntryText(key, value) : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}

function mapEntryText(key: string, value: string): string | undefined {
  const lines = value.split("\n").map((line) => (line === "" ? "" : `    ${line}`));
  const forms = [
    value === "" ? `- ${key}:` : `- ${key}: ${value}`,
    [`- ${key}: |`, ...lines].join("\n"),
  ];
  return forms.find((text) => {
    const { source, list } = onlyList(text);
    const entry = list?.items.length === 1 && list.items[0] ? mapKeyed(list.items[0]) : undefined;
    return entry?.key === key && readMapValue(source, entry) === value;
  });
}

/** A fence with YAML or JSON in it, long enough for the fences within. */
export function fenceFor(value: Value, type: "yaml" | "json"): string {
  const text = type === "yaml" ? printYaml(value) : jsonText(value);
  const marks = "`".repeat(Math.max(3, longestRun(text, "`") + 1));
  return `${marks}${type}\n${text}\n${marks}`;
}

/** A text that is no JSON was kept as it was. */
const jsonText = (value: Value): string =>
  typeof value === "string" && jsonOrText(value) === value
    ? value
    : printJson(value, { pretty: true });
