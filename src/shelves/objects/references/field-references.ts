import type { ParsedObject } from "../../../text/objects/parse-objects.ts";
import { collectReferences } from "../../../text/objects/parsing/references.ts";
import { scanSource } from "../../../text/objects/parsing/source.ts";
import { allTextsIn, isFields, textValue, type Value } from "../../../text/objects/values/value.ts";
import { memoize } from "../memoize.ts";
import { fieldsOf } from "../workspace/workspace-object.ts";

/** A reference in a field. */
export interface FieldReference {
  /** The reference as written, with its brackets. */
  target: string;
  field: string;
  /** The type of the edge. */
  type: string;
}

/**
 * The references in an object's fields. The edge type is the field name, except for a list of
 * `- key: [[#id]]` at the start of a text, where it is the key.
 */
export const fieldReferences = memoize((record: ParsedObject): FieldReference[] => [
  ...collectFieldReferences(record),
]);

function* collectFieldReferences(record: ParsedObject): Generator<FieldReference> {
  const syntax = record.get("__syntax");
  for (const [field, value] of fieldsOf(record)) {
    const form = isFields(syntax) ? textValue(syntax.get(field)) : undefined;
    if (form !== undefined && foreignSyntaxes.has(form)) continue;
    if (form === "multiline_text" && typeof value === "string")
      yield* collectTextReferences(field, value);
    else {
      for (const text of allTextsIn(value)) {
        for (const target of parseReferences(text)) yield { target, field, type: field };
      }
    }
  }
}

/** Syntaxes whose values are data and contain no references. */
const foreignSyntaxes = new Set(["yaml_multiline", "yaml_object", "json_object"]);

function* collectTextReferences(field: string, text: string): Generator<FieldReference> {
  const { named, rest } = parsePreamble(text);
  for (const [type, target] of named) yield { target, field, type };
  // A reference that has a key in the list yields no second edge without one.
  const listed = new Set(named.map(([, target]) => target));
  for (const target of parseReferences(rest)) {
    if (!listed.has(target)) yield { target, field, type: field };
  }
}

/** The list at the start of a text. Every line must be a key with references. */
function parsePreamble(text: string): { named: [type: string, target: string][]; rest: string } {
  const start = text.search(/\S/);
  const end = start < 0 ? -1 : text.slice(start).search(/\r?\n[ \t]*(?:\r?\n|$)/);
  const head = start < 0 ? "" : end < 0 ? text.slice(start) : text.slice(start, start + end);
  const named: [string, string][] = [];
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ""] = /^[-*] +([a-zA-Z_]\w*) *: *(\S.*)$/.exec(line.trim()) ?? [];
    const targets = key === undefined ? [] : parseReferences(value);
    const isPlain =
      value
        .split(",")
        .map((part) => part.trim())
        .join() === targets.join();
    if (key === undefined || targets.length === 0 || !isPlain) return { named: [], rest: text };
    for (const target of targets) named.push([key, target]);
  }
  return { named, rest: text.slice(Math.max(start, 0) + head.length) };
}

/** The fields of each reference, including references in code. */
export function fieldsByReference(record: ParsedObject): Map<string, string[]> {
  const fields = new Map<string, Set<string>>();
  for (const [field, value] of fieldsOf(record)) {
    for (const text of allTextsIn(value)) {
      for (const [raw] of text.matchAll(referencePattern)) {
        fields.set(raw, (fields.get(raw) ?? new Set()).add(field));
      }
    }
  }
  return new Map([...fields].map(([raw, holding]) => [raw, [...holding]]));
}

const referencePattern = /\[\[#(?:[^[\]]|\[[^\]]{0,200}\])+\]\]/g;

/** Every `[[#…]]` in a text outside code. */
function parseReferences(text: string): string[] {
  if (!text.includes("[[#")) return [];
  if (/^\[\[#[^[\]`]+\]\]$/.test(text)) return [text];
  const found: Value[] = [];
  const source = scanSource(text);
  collectReferences(source, 0, source.lines.length, found);
  return found.flatMap((record) => (isFields(record) ? (textValue(record.get("raw")) ?? []) : []));
}
