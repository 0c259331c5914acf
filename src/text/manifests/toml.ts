import { parse, TomlError, type TomlValue } from "smol-toml";
import { elementAt } from "../arrays/element-at.ts";

/** A TOML value; numbers and dates are kept as text. */
export type TomlNode = string | boolean | TomlNode[] | TomlTable;

export interface TomlTable {
  [key: string]: TomlNode;
}

const maxDepth = 30;
/** A file with more invalid lines than this is not TOML. */
const maxInvalidLines = 20;

/**
 * Parses TOML and skips invalid lines, so that a typo does not invalidate the whole manifest: a line
 * that the parser rejects is blanked, and the text is parsed again. The keys below a rejected table
 * header are blanked too; otherwise they would be added to the previous table.
 */
export function parseToml(text: string): TomlTable {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (let attempt = 0; attempt <= maxInvalidLines; attempt++) {
    try {
      return tableFrom(parse(lines.join("\n"), { maxDepth }));
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      blankFrom(lines, error.line - 1);
    }
  }
  return {};
}

function blankFrom(lines: string[], index: number): void {
  const isHeader = /^\s*\[/.test(elementAt(lines, index));
  do lines[index++] = "";
  while (isHeader && index < lines.length && !/^\s*\[/.test(elementAt(lines, index)));
}

/** The parser limits the depth of values, but not of dotted keys and headers. */
function tableFrom(table: Readonly<Record<string, TomlValue>>, depth = 0): TomlTable {
  if (depth > maxDepth) return {};
  const entries = Object.entries(table);
  return Object.fromEntries(entries.map(([key, value]) => [key, valueFrom(value, depth + 1)]));
}

function valueFrom(value: TomlValue, depth: number): TomlNode {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((item) => valueFrom(item, depth + 1));
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? tableFrom(value, depth) : String(value);
}

export const isTomlTable = (value: TomlNode | undefined): value is TomlTable =>
  typeof value === "object" && !Array.isArray(value);

/** The value at a path of keys; undefined if a key is missing. */
export function tomlValue(table: TomlNode | undefined, ...keys: string[]): TomlNode | undefined {
  let value = table;
  for (const key of keys) {
    value = isTomlTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

export const tomlTable = (table: TomlNode | undefined, ...keys: string[]): TomlTable => {
  const value = tomlValue(table, ...keys);
  return isTomlTable(value) ? value : {};
};

export function tomlString(table: TomlNode | undefined, ...keys: string[]): string | undefined {
  const value = tomlValue(table, ...keys);
  return typeof value === "string" ? value : undefined;
}

export function tomlStrings(table: TomlNode | undefined, ...keys: string[]): string[] {
  const value = tomlValue(table, ...keys);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The tables of an array of tables. */
export function tomlTables(table: TomlNode | undefined, ...keys: string[]): TomlTable[] {
  const value = tomlValue(table, ...keys);
  return Array.isArray(value) ? value.filter(isTomlTable) : [];
}
