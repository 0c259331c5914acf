import { type RecordName, titleSlug } from "./file-name.ts";
import { type DecisionRecord, headingNumber } from "./record.ts";
import { setDate, setHeading, setSectionText, setStatus } from "./record-edits.ts";

/** The content of a new record. */
export interface NewRecord {
  title: string;
  number: number;
  status: string;
  /** ISO. */
  date: string;
  /** The text of the sections, whose names depend on the format. */
  context?: string | undefined;
  decision?: string | undefined;
  consequences?: string | undefined;
}

/** The conventions of the records in a folder, which a new record follows. */
export interface RecordStyle {
  prefix: string;
  /** The minimum number of digits, or `date` if names start with a date. */
  width: number | "date";
  /** The numbering of the heading: `12. Title`, `ADR-012: Title` or none. */
  heading: "number" | "adr" | "plain";
  /** The template of the sections. */
  form: "nygard" | "madr" | "madr-frontmatter";
}

/** For a folder without records, as the specification requires: `001-kebab-case-title.md`. */
export const defaultRecordStyle: RecordStyle = {
  prefix: "",
  width: 3,
  heading: "plain",
  form: "nygard",
};

/** Uses only the latest records, because conventions change over time. */
export function detectRecordStyle(records: readonly DecisionRecord[]): RecordStyle {
  const latest = records.slice(-5);
  const names = latest.map(({ name }) => name);
  const last = latest.at(-1);
  if (!last) return defaultRecordStyle;
  const isDated = names.filter(({ date }) => date !== null).length * 2 > names.length;
  const numbered = names.filter(({ number }) => number !== null).at(-1);
  const form = mostCommon(latest.map(({ format }) => format));
  return {
    prefix: numbered?.prefix ?? "",
    width: isDated ? "date" : (numbered?.digits.length ?? defaultRecordStyle.width),
    heading: mostCommon(latest.map(({ titleRaw }) => headingStyleOf(titleRaw ?? ""))),
    form: form === "other" ? "nygard" : form,
  };
}

function headingStyleOf(titleRaw: string): RecordStyle["heading"] {
  if (headingNumber(titleRaw) === null) return "plain";
  return /^adr/i.test(titleRaw) ? "adr" : "number";
}

function mostCommon<Value>(values: readonly Value[]): Value {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  if (!first) throw new RangeError("An empty list has no most common value.");
  return first[0];
}

export function recordFileName(
  { prefix, width }: RecordStyle,
  { title, number, date }: NewRecord,
): string {
  const head =
    width === "date" ? date.replaceAll("-", "") : `${prefix}${String(number).padStart(width, "0")}`;
  return `${head}-${titleSlug(title)}.md`;
}

/** The text of a new record, from the template of the folder or one of the known formats. */
export function newRecordText(style: RecordStyle, record: NewRecord, template?: string): string {
  const blank = template ?? recordForms[style.form];
  const heading = recordHeading(style, record);
  let text = setDate(setStatus(setHeading(blank, heading), record.status), record.date);
  for (const [title, name, words] of [
    ["Context", /^context( and problem statement)?$/i, record.context],
    ["Decision", /^decision( outcome)?$/i, record.decision],
    ["Consequences", /^consequences$/i, record.consequences],
  ] as const) {
    if (words === undefined) continue;
    text = setSectionText(text, name, words) ?? withSectionAtEnd(text, title, words);
  }
  return text;
}

/** For a section that the template does not have. */
const withSectionAtEnd = (text: string, title: string, words: string): string =>
  `${text.trimEnd()}\n\n## ${title}\n\n${words.trim()}\n`;

function recordHeading({ heading, width }: RecordStyle, { number, title }: NewRecord): string {
  if (heading === "plain" || width === "date") return title;
  return heading === "number"
    ? `${number}. ${title}`
    : `ADR-${String(number).padStart(width, "0")}: ${title}`;
}

/** A link from one record to another: `4. Title`, `ADR-0004`, or the file name. */
export function formatRecordLink(
  name: RecordName,
  title: string,
  form: RecordStyle["form"],
  href: string,
): string {
  const label =
    name.number === null
      ? name.stem
      : form === "madr" || form === "madr-frontmatter"
        ? `ADR-${name.digits}`
        : `${name.number}. ${title}`;
  // A bracket would end the link text.
  return `[${label.replace(/[[\]]/g, "")}](${href})`;
}

const madrSections = `## Context and Problem Statement

What problem requires a decision, and which question does it answer?

## Considered Options

* First option
* Second option

## Decision Outcome

Chosen option: "First option", because of its advantages.

### Consequences

* Good, because of what becomes easier
* Bad, because of what becomes harder
`;

const recordForms: Record<RecordStyle["form"], string> = {
  nygard: `# Title

Date: 2000-01-01

## Status

Proposed

## Context

What problem requires a decision, and which constraints apply?

## Decision

What change do we make?

## Consequences

What becomes easier or more difficult because of this change?
`,
  madr: `# Title

* Status: proposed
* Date: 2000-01-01

${madrSections}`,
  "madr-frontmatter": `---
status: proposed
date: 2000-01-01
---

# Title

${madrSections}`,
};
