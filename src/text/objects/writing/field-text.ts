import { longestRun } from "../../markdown/longest-run.ts";
import { type BulletList, parseBlocks } from "../parsing/blocks.ts";
import {
  parseFieldValue,
  parseKeyedBullet,
  parseListItem,
  parseMapBullet,
  parseMapValue,
} from "../parsing/bullets.ts";
import { parseJsonOrText } from "../parsing/heading-fields.ts";
import { type SourceLines, scanSource } from "../parsing/source.ts";
import { formatJson } from "../values/json.ts";
import { parseScalar } from "../values/scalars.ts";
import { type Fields, isNumeral, type Value, valuesEqual } from "../values/value.ts";
import { formatYaml } from "../values/yaml-writer.ts";

/**
 * Writes the text of a field. Each candidate is parsed again before it is used, so that writing never
 * changes a value.
 */

/**
 * `- key: value`, in the requested syntax if it can represent the value, or else in the next best.
 */
export function formatBullet(
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
  if (typeof value !== "string") return [`- ${key}: ${formatLiteral(value)}`];
  const lines = value.split("\n").map((line) => (line === "" ? "" : `    ${line}`));
  const pipe = value === "" ? `- ${key}: |` : [`- ${key}: |`, ...lines].join("\n");
  if (syntax === "yaml_multiline") return [pipe];
  return [`- ${key}: ${value}`, `- ${key}: "${value}"`, `- ${key}: '${value}'`, pipe];
}

function readsBack(text: string, key: string, value: Value, syntax: string | undefined): boolean {
  const { source, list } = onlyList(text);
  const field =
    list?.items.length === 1 && list.items[0] ? parseKeyedBullet(list.items[0]) : undefined;
  if (field?.key !== key) return false;
  const read = parseFieldValue(source, field);
  return (
    read !== undefined && valuesEqual(read.value, value) && (!syntax || read.syntax === syntax)
  );
}

/** The list, if the text contains only a list. */
function onlyList(text: string): { source: SourceLines; list: BulletList | undefined } {
  const source = scanSource(text);
  const [block, ...more] = parseBlocks(source, 0, source.lines.length);
  return { source, list: block?.type === "bullets" && more.length === 0 ? block : undefined };
}

const formatLiteral = (value: Exclude<Value, string>): string =>
  value !== null && typeof value === "object" && isNumeral(value)
    ? value.notation
    : formatJson(value);

/** A space keeps a nested array bracket from being read as a reference. */
function inlineArray(items: readonly Value[]): string {
  const text = items.map(itemText).join(", ");
  return Array.isArray(items[0]) ? `[ ${text}]` : `[${text}]`;
}

/** Omits quotes if the item parses the same without them, in first and in later positions. */
function itemText(item: Value): string {
  if (Array.isArray(item)) return inlineArray(item);
  if (typeof item !== "string") return formatLiteral(item);
  const isPlain = valuesEqual(parseScalar(`[${item}, x, ${item}, x]`).value, [
    item,
    "x",
    item,
    "x",
  ]);
  if (isPlain) return item;
  return item.includes('"') ? `'${item}'` : `"${item}"`;
}

/** A bullet list that parses to these items, if there is one. */
export function formatList(items: readonly Value[]): string | undefined {
  const text = items.map(listItemText).join("\n");
  if (items.length === 0) return "";
  const { source, list } = onlyList(text);
  const read = list?.items.map((item) => parseListItem(source, item));
  return read && valuesEqual(read, [...items]) ? text : undefined;
}

function listItemText(item: Value): string {
  if (typeof item !== "string")
    return `- ${Array.isArray(item) ? inlineArray(item) : formatLiteral(item)}`;
  const [first = "", ...below] = item.split("\n");
  if (below.length > 0) {
    return [`- ${first}`, ...below.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
  }
  return valuesEqual(parseScalar(first).value, first) ? `- ${first}` : `- "${first}"`;
}

/** A list of keys and texts that parses to this map, if there is one. */
export function formatMap(map: Fields): string | undefined {
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
    const entry =
      list?.items.length === 1 && list.items[0] ? parseMapBullet(list.items[0]) : undefined;
    return entry?.key === key && parseMapValue(source, entry) === value;
  });
}

/** A code fence with YAML or JSON, longer than any fence inside. */
export function formatFence(value: Value, type: "yaml" | "json"): string {
  const text = type === "yaml" ? formatYaml(value) : jsonText(value);
  const marks = "`".repeat(Math.max(3, longestRun(text, "`") + 1));
  return `${marks}${type}\n${text}\n${marks}`;
}

/** Invalid JSON was kept as text. */
const jsonText = (value: Value): string =>
  typeof value === "string" && parseJsonOrText(value) === value
    ? value
    : formatJson(value, { pretty: true });
