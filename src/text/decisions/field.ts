import { factsOf } from "../frontmatter.ts";
import { type Layout, preambleEnd, sectionNamed } from "./layout.ts";

/** Something that a record says of itself, such as its status, and where it says so. */
export interface Field {
  value: string;
  from: "frontmatter" | "inline" | "section";
  /** Counted from one. */
  line: number;
}

/** The front matter's word comes first, then that of the lines under the title, then a section's. */
export function fieldNamed(layout: Layout, ...given: string[]): Field | undefined {
  const names = given.flatMap((name) => (name === "status" ? statusNames : name));
  return inFrontmatter(layout, names) ?? inPreamble(layout, names) ?? inSection(layout, names);
}

/** In English and German, in French and in Spanish. */
const statusNames = ["status", "statut", "estado"];

function inFrontmatter({ lines, head }: Layout, names: readonly string[]): Field | undefined {
  for (let line = 2; line < head; line++) {
    const said = /^([A-Za-z][\w -]*?)[ \t]*:(?:[ \t]+(.*))?$/.exec(
      (lines[line - 1] ?? "").trimEnd(),
    );
    if (!said || !names.includes(plainName(said[1]))) continue;
    const value = unquoted((said[2] ?? "").trim());
    return value === "" ? undefined : { value, from: "frontmatter", line };
  }
  return undefined;
}

function unquoted(written: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(written);
  if (quoted) return (quoted[2] ?? "").trim();
  const remark = /(^|\s)#/.exec(written);
  return (remark ? written.slice(0, remark.index) : written).trim();
}

/** `- Status: accepted`, `**Status**: accepted`, `Date: 2017-06-30`, `| Status | accepted |`. */
export const fieldLine =
  /^([ \t]{0,3}(?:[-*+>][ \t]+)?[*_]{0,2}([A-Za-z][A-Za-z -]{0,30}?)[*_]{0,2}[ \t]?:[*_]{0,2}[ \t]*)(.*)$/;
export const fieldRow =
  /^([ \t]{0,3}\|[ \t]*[*_]{0,2}([A-Za-z][A-Za-z -]{0,30}?)[*_]{0,2}:?[ \t]*\|[ \t]*)([^|]*)\|/;

function inPreamble(layout: Layout, names: readonly string[]): Field | undefined {
  const end = Math.min(preambleEnd(layout), layout.head + mostPreambleLines);
  for (let line = layout.head + 1; line <= end; line++) {
    const written = layout.lines[line - 1] ?? "";
    const said = fieldLine.exec(written) ?? fieldRow.exec(written);
    if (!said || !names.includes(plainName(said[2]))) continue;
    const value = (said[3] ?? "").trim();
    if (value !== "") return { value, from: "inline", line };
  }
  return undefined;
}

/** In a record without sections, what looks like a field further down is a part of its text. */
const mostPreambleLines = 60;

function inSection(layout: Layout, names: readonly string[]): Field | undefined {
  const section = sectionNamed(layout, new RegExp(`^(${names.join("|")})$`, "i"));
  if (!section) return undefined;
  for (let line = section.line + 1; line <= section.endLine; line++) {
    const value = (layout.lines[line - 1] ?? "").trim();
    if (/^(=+|-+)$/.test(value)) continue;
    if (value.startsWith("#")) return undefined;
    if (value !== "") return { value, from: "section", line };
  }
  return undefined;
}

const plainName = (name = ""): string => name.trim().toLowerCase().replace(/[ _]/g, "-");

/** The people who decided: a list, a line with commas, or the first column of a table. */
export function decidersOf(layout: Layout): string[] {
  const facts = factsOf(layout.lines).filter(({ key }) => deciderNames.includes(plainName(key)));
  if (facts.length > 0) return namesIn(facts.map(({ value }) => value).join(","));
  const field = fieldNamed(layout, ...deciderNames);
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
function namesInTable({ lines }: Layout): string[] {
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
