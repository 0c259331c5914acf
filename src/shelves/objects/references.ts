import type { ParsedObject } from "../../text/objects/parse.ts";
import { collectReferences } from "../../text/objects/references.ts";
import { readSource } from "../../text/objects/source.ts";
import { isFields, textOf, textsIn, type Value } from "../../text/objects/value.ts";
import { remembered } from "./remembered.ts";
import { fieldsOf } from "./workspace-object.ts";

/** What a field says about another object. */
export interface FieldReference {
  /** As it is written, with its brackets. */
  target: string;
  field: string;
  /** What the connection is called. */
  type: string;
}

/**
 * The references in an object's fields. Those at the top of a text that are written as a list of
 * `- key: [[#id]]` are named by their keys, all others by the field.
 */
export const edgesIn = remembered((record: ParsedObject): FieldReference[] => [...edgesOf(record)]);

function* edgesOf(record: ParsedObject): Generator<FieldReference> {
  const syntax = record.get("__syntax");
  for (const [field, value] of fieldsOf(record)) {
    const form = isFields(syntax) ? textOf(syntax.get(field)) : undefined;
    if (form !== undefined && unread.has(form)) continue;
    if (form === "multiline_text" && typeof value === "string") yield* edgesOfText(field, value);
    else {
      for (const text of textsIn(value)) {
        for (const target of referencesIn(text)) yield { target, field, type: field };
      }
    }
  }
}

/** Forms whose text is data of somebody else. */
const unread = new Set(["yaml_multiline", "yaml_object", "json_object"]);

function* edgesOfText(field: string, text: string): Generator<FieldReference> {
  const { named, rest } = preambleOf(text);
  for (const [type, target] of named) yield { target, field, type };
  // What was given a name above is not told once more without one.
  const told = new Set(named.map(([, target]) => target));
  for (const target of referencesIn(rest)) {
    if (!told.has(target)) yield { target, field, type: field };
  }
}

/** All or nothing: one line that is no key with references makes ordinary text of all. */
function preambleOf(text: string): { named: [type: string, target: string][]; rest: string } {
  const start = text.search(/\S/);
  const end = start < 0 ? -1 : text.slice(start).search(/\r?\n[ \t]*(?:\r?\n|$)/);
  const head = start < 0 ? "" : end < 0 ? text.slice(start) : text.slice(start, start + end);
  const named: [string, string][] = [];
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ""] = /^[-*] +([a-zA-Z_]\w*) *: *(\S.*)$/.exec(line.trim()) ?? [];
    const targets = key === undefined ? [] : referencesIn(value);
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

/** The fields of an object by the references that stand in their values, be it in code. */
export function fieldsByReference(record: ParsedObject): Map<string, string[]> {
  const fields = new Map<string, Set<string>>();
  for (const [field, value] of fieldsOf(record)) {
    for (const text of textsIn(value)) {
      for (const [raw] of text.matchAll(written)) {
        fields.set(raw, (fields.get(raw) ?? new Set()).add(field));
      }
    }
  }
  return new Map([...fields].map(([raw, holding]) => [raw, [...holding]]));
}

const written = /\[\[#(?:[^[\]]|\[[^\]]{0,200}\])+\]\]/g;

/** Every `[[#…]]` of a text that is not code. */
function referencesIn(text: string): string[] {
  if (!text.includes("[[#")) return [];
  if (/^\[\[#[^[\]`]+\]\]$/.test(text)) return [text];
  const found: Value[] = [];
  const source = readSource(text);
  collectReferences(source, 0, source.lines.length, found);
  return found.flatMap((record) => (isFields(record) ? (textOf(record.get("raw")) ?? []) : []));
}
