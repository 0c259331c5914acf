import { withDate, withHeading, withSectionText, withStatus } from "./edits.ts";
import { type RecordName, slugOf } from "./file-name.ts";
import { type DecisionRecord, headingNumber } from "./record.ts";

/** What a new record is to say. */
export interface NewRecord {
  title: string;
  number: number;
  status: string;
  /** ISO. */
  date: string;
  /** What stands in the sections of that meaning; each form has its own names for them. */
  context?: string | undefined;
  decision?: string | undefined;
  consequences?: string | undefined;
}

/** How the records of a folder are named and written, so that a new one is like its neighbours. */
export interface Manner {
  prefix: string;
  /** The fewest digits of a number, or `date` where names begin with the day. */
  width: number | "date";
  /** How the heading is numbered: `12. Title`, `ADR-012: Title` or not at all. */
  heading: "number" | "adr" | "plain";
  /** The record or template whose sections a new one has. */
  form: "nygard" | "madr" | "madr-frontmatter";
}

/** A folder without records takes the founding document's: `001-kebab-case-title.md`. */
export const ownManner: Manner = { prefix: "", width: 3, heading: "plain", form: "nygard" };

/** Looks at the newest records first, since manners change and the last ones hold. */
export function mannerOf(records: readonly DecisionRecord[]): Manner {
  const latest = records.slice(-5);
  const names = latest.map(({ name }) => name);
  const last = latest.at(-1);
  if (!last) return ownManner;
  const isDated = names.filter(({ date }) => date !== null).length * 2 > names.length;
  const numbered = names.filter(({ number }) => number !== null).at(-1);
  const form = mostCommon(latest.map(({ format }) => format));
  return {
    prefix: numbered?.prefix ?? "",
    width: isDated ? "date" : (numbered?.digits.length ?? ownManner.width),
    heading: mostCommon(latest.map(({ titleRaw }) => headingManner(titleRaw ?? ""))),
    form: form === "other" ? "nygard" : form,
  };
}

function headingManner(titleRaw: string): Manner["heading"] {
  if (headingNumber(titleRaw) === null) return "plain";
  return /^adr/i.test(titleRaw) ? "adr" : "number";
}

function mostCommon<Value>(values: readonly Value[]): Value {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  if (!first) throw new Error("Of nothing, nothing is the most common.");
  return first[0];
}

export function fileNameFor({ prefix, width }: Manner, { title, number, date }: NewRecord): string {
  const head =
    width === "date" ? date.replaceAll("-", "") : `${prefix}${String(number).padStart(width, "0")}`;
  return `${head}-${slugOf(title)}.md`;
}

/** The text of a new record: the folder's own template filled in, or one of the known forms. */
export function newRecordText(manner: Manner, record: NewRecord, template?: string): string {
  const blank = template ?? forms[manner.form];
  const heading = headingFor(manner, record);
  let text = withDate(withStatus(withHeading(blank, heading), record.status), record.date);
  for (const [title, name, words] of [
    ["Context", /^context( and problem statement)?$/i, record.context],
    ["Decision", /^decision( outcome)?$/i, record.decision],
    ["Consequences", /^consequences$/i, record.consequences],
  ] as const) {
    if (words === undefined) continue;
    text = withSectionText(text, name, words) ?? withSectionAtEnd(text, title, words);
  }
  return text;
}

/** For what the form has no place for. */
const withSectionAtEnd = (text: string, title: string, words: string): string =>
  `${text.trimEnd()}\n\n## ${title}\n\n${words.trim()}\n`;

function headingFor({ heading, width }: Manner, { number, title }: NewRecord): string {
  if (heading === "plain" || width === "date") return title;
  return heading === "number"
    ? `${number}. ${title}`
    : `ADR-${String(number).padStart(width, "0")}: ${title}`;
}

/** What one record calls another in a link: `4. Title`, `ADR-0004`, or its name. */
export function linkTo(
  name: RecordName,
  title: string,
  form: Manner["form"],
  href: string,
): string {
  const label =
    name.number === null
      ? name.stem
      : form === "madr" || form === "madr-frontmatter"
        ? `ADR-${name.digits}`
        : `${name.number}. ${title}`;
  // A bracket would end the link's text.
  return `[${label.replace(/[[\]]/g, "")}](${href})`;
}

const madrSections = `## Context and Problem Statement

What makes a decision necessary, and which question does it answer?

## Considered Options

* First option
* Second option

## Decision Outcome

Chosen option: "First option", because of its reasons.

### Consequences

* Good, because of what becomes easier
* Bad, because of what becomes harder
`;

const forms: Record<Manner["form"], string> = {
  nygard: `# Title

Date: 2000-01-01

## Status

Proposed

## Context

What makes a decision necessary, and what has to be respected?

## Decision

What is done?

## Consequences

What becomes easier, and what harder?
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
