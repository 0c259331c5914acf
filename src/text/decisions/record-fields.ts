import { elementAt } from "../arrays/element-at.ts";
import { frontmatterFacts } from "../markdown/frontmatter.ts";
import { findRecordSection, preambleEnd, type RecordLayout } from "./record-layout.ts";

/** A metadata field of a record, such as its status, and where it was found. */
export interface RecordField {
  value: string;
  from: "frontmatter" | "inline" | "section";
  /** Counted from 1. */
  line: number;
}

/** Looks for a field in the front matter, then in the lines under the title, then in a section. */
export function findField(
  layout: RecordLayout,
  ...requestedNames: string[]
): RecordField | undefined {
  const names = requestedNames.flatMap((name) => (name === "status" ? statusNames : name));
  return (
    fieldInFrontmatter(layout, names) ??
    fieldInPreamble(layout, names) ??
    fieldInSection(layout, names)
  );
}

/** English and German, French, Spanish. */
const statusNames = ["status", "statut", "estado"];

function fieldInFrontmatter(
  { lines, frontmatterLines }: RecordLayout,
  names: readonly string[],
): RecordField | undefined {
  for (let line = 2; line < frontmatterLines; line++) {
    const match = /^([A-Za-z][\w -]*?)[ \t]*:(?:[ \t]+(.*))?$/.exec(
      elementAt(lines, line - 1).trimEnd(),
    );
    if (!match || !names.includes(plainName(match[1]))) continue;
    const value = unquoted((match[2] ?? "").trim());
    return value === "" ? undefined : { value, from: "frontmatter", line };
  }
  return undefined;
}

function unquoted(source: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(source);
  if (quoted) return (quoted[2] ?? "").trim();
  const comment = /(^|\s)#/.exec(source);
  return (comment ? source.slice(0, comment.index) : source).trim();
}

/** `- Status: accepted`, `**Status**: accepted`, `Date: 2017-06-30`, `| Status | accepted |`. */
export const fieldLinePattern =
  /^([ \t]{0,3}(?:[-*+>][ \t]+)?[*_]{0,2}([A-Za-z][A-Za-z -]{0,30}?)[*_]{0,2}[ \t]?:[*_]{0,2}[ \t]*)(.*)$/;
export const fieldRowPattern =
  /^([ \t]{0,3}\|[ \t]*[*_]{0,2}([A-Za-z][A-Za-z -]{0,30}?)[*_]{0,2}:?[ \t]*\|[ \t]*)([^|]*)\|/;

function fieldInPreamble(layout: RecordLayout, names: readonly string[]): RecordField | undefined {
  const end = Math.min(preambleEnd(layout), layout.frontmatterLines + maxPreambleLines);
  for (let line = layout.frontmatterLines + 1; line <= end; line++) {
    const lineText = elementAt(layout.lines, line - 1);
    const match = fieldLinePattern.exec(lineText) ?? fieldRowPattern.exec(lineText);
    if (!match || !names.includes(plainName(match[2]))) continue;
    const value = (match[3] ?? "").trim();
    if (value !== "") return { value, from: "inline", line };
  }
  return undefined;
}

/** In a record without sections, later lines are text, even if they look like fields. */
const maxPreambleLines = 60;

function fieldInSection(layout: RecordLayout, names: readonly string[]): RecordField | undefined {
  const section = findRecordSection(layout, new RegExp(`^(${names.join("|")})$`, "i"));
  if (!section) return undefined;
  for (let line = section.line + 1; line <= section.endLine; line++) {
    const value = elementAt(layout.lines, line - 1).trim();
    if (/^(=+|-+)$/.test(value)) continue;
    if (value.startsWith("#")) return undefined;
    if (value !== "") return { value, from: "section", line };
  }
  return undefined;
}

const plainName = (name = ""): string => name.trim().toLowerCase().replace(/[ _]/g, "-");

/** The deciders: from a list, a comma-separated line or the first column of a table. */
export function readDeciders(layout: RecordLayout): string[] {
  const facts = frontmatterFacts(layout.lines).filter(({ key }) =>
    deciderNames.includes(plainName(key)),
  );
  if (facts.length > 0) return namesIn(facts.map(({ value }) => value).join(","));
  const field = findField(layout, ...deciderNames);
  const isRow = field?.value.startsWith("|") && field.from === "section";
  if (field && !isRow) return namesIn(field.value);
  return namesInTable(layout);
}

const deciderNames = ["deciders", "decision-makers", "decision-maker", "decider", "decided-by"];

const namesIn = (written: string): string[] =>
  written
    .slice(0, 2_000)
    .replace(/^\[|\]$/g, "")
    .split(/[,;]/)
    .map((name) => name.replace(/[*_`]/g, "").trim())
    .filter((name) => name !== "" && !/^[[{]/.test(name));

/**
 * ```
 * **Deciders**
 *
 * | Full name | Role |
 * |-----------|------|
 * | Ada       | lead |
 * ```
 */
function namesInTable({ lines }: RecordLayout): string[] {
  const start = lines.findIndex((line) => /^[\s\-*+#]*[*_]{0,2}deciders[*_: \t]*$/i.test(line));
  if (start < 0) return [];
  const first = lines.findIndex((line, index) => index > start && line.trim() !== "");
  const rows: string[] = [];
  for (let index = first; index > start && rows.length < 100; index++) {
    const row = /^\s*\|([^|]*)\|/.exec(lines[index] ?? "");
    if (!row) break;
    rows.push((row[1] ?? "").trim());
  }
  return rows.slice(2).filter((name) => name !== "");
}
