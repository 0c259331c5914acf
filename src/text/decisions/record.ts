import { frontmatterFacts, frontmatterTitle } from "../markdown/frontmatter.ts";
import { parseRecordDate } from "./date.ts";
import { parseRecordName, type RecordName } from "./file-name.ts";
import { findField, type RecordField, readDeciders } from "./record-fields.ts";
import { type RecordLayout, type RecordSection, readRecordLayout } from "./record-layout.ts";
import { type RecordLink, readRecordLinks } from "./record-links.ts";
import { type DecisionStatus, parseStatus } from "./status.ts";

type RecordKind = "adr" | "template" | "index";

/** The known formats of records. */
type RecordFormat = "nygard" | "madr" | "madr-frontmatter" | "other";

/** A decision record in any format. */
export interface DecisionRecord {
  kind: RecordKind;
  format: RecordFormat;
  name: RecordName;
  number: number | null;
  /** The heading without numbering. */
  title: string;
  /** The first level-1 heading, or null. */
  titleRaw: string | null;
  status: DecisionStatus | "other" | null;
  statusRaw: string | null;
  statusFrom: RecordField["from"] | null;
  /** The line of the status, counted from 1. */
  statusLine: number | null;
  date: string | null;
  dateRaw: string | null;
  deciders: string[];
  links: RecordLink[];
  sections: readonly RecordSection[];
}

/** Parses any text as a record. Missing fields are null; nothing is an error. */
export function parseRecord(text: string, file: string): DecisionRecord {
  const layout = readRecordLayout(text);
  const name = parseRecordName(file);
  const titleRaw = layout.headings.find(({ depth, title }) => depth === 1 && title)?.title ?? null;
  const status = findField(layout, "status");
  const date = findField(layout, "date");
  const format = detectFormat(layout);
  const kind = detectKind(name, titleRaw, format, status);
  return {
    kind,
    format,
    name,
    number: kind === "adr" ? name.number : null,
    title: recordTitle(layout, titleRaw, name),
    titleRaw,
    status: kind === "adr" ? parseStatus(status?.value ?? null) : null,
    statusRaw: status?.value ?? null,
    statusFrom: status?.from ?? null,
    statusLine: status?.line ?? null,
    date: kind === "adr" ? (parseRecordDate(date?.value ?? "") ?? name.date) : null,
    dateRaw: date?.value ?? null,
    deciders: kind === "adr" ? readDeciders(layout) : [],
    links: kind === "adr" ? readRecordLinks(layout) : [],
    sections: layout.sections,
  };
}

const templateName =
  /^(?:adr|madr|nygard|decision|record)?[-_ ]?template(?:[-_](?:bare|minimal|short|long|full|adr|madr))*$/i;
const indexName =
  /^(?:readme|_?index|toc|summary|contents|overview|(?:adr|decision)[-_]?log|log)$/i;

function detectKind(
  { slug, stem, number, date }: RecordName,
  titleRaw: string | null,
  format: RecordFormat,
  status: RecordField | undefined,
): RecordKind {
  if (indexName.test(stem)) return "index";
  if (templateName.test(number ? "" : slug)) return "template";
  // The title is a placeholder: `{short title}`, `[short title]`.
  if (titleRaw !== null && /^(\{[^}]*\}|\[[^\]]*\])$/.test(titleRaw)) return "template";
  const isRecord = number !== null || date !== null || format !== "other" || status !== undefined;
  return isRecord ? "adr" : "index";
}

/** The sections that identify a format, in lower case. */
const nygardSections = ["context", "decision", "consequences"];
const madrSections = ["context and problem statement", "decision outcome"];

function detectFormat(layout: RecordLayout): RecordFormat {
  const titles = new Set(layout.sections.map(({ title }) => title.toLowerCase()));
  if (madrSections.some((title) => titles.has(title))) {
    return hasMetadata(layout) ? "madr-frontmatter" : "madr";
  }
  return nygardSections.every((title) => titles.has(title)) ? "nygard" : "other";
}

const hasMetadata = ({ lines, frontmatterLines }: RecordLayout): boolean =>
  lines.slice(1, Math.max(frontmatterLines - 1, 1)).some((line) => metadataKey.test(line));

const metadataKey = /^(status|date|deciders|decision-makers)[ \t]*:/i;

/** `12. Title`, `0012 Title`, `ADR-12: Title`, `Architecture Decision Record: Title`. */
const numberingPatterns = [
  /^(?:adr|architectur(?:e|al) decision(?: record)?|decision(?: record)?)[\s#-]*\d+(?:\s*[:.–—-]\s*|\s+)/i,
  /^(?:adr|architectur(?:e|al) decision record|decision record)(?::\s*|\s+[.–—-]\s+)/i,
  /^\d+(?:[.):]\s+|\s+[:–—-]\s+)/,
  /^0\d+\s+/,
];

export function stripNumbering(heading: string): string {
  const numbering = numberingPatterns.find((pattern) => pattern.test(heading));
  const rest = numbering ? heading.replace(numbering, "").trim() : heading;
  return rest === "" ? heading : rest;
}

/** The number in a heading, if any. */
export function headingNumber(heading: string): number | null {
  const prefix = heading.slice(0, heading.length - stripNumbering(heading).length);
  const digits = /\d{1,9}/.exec(prefix)?.[0];
  return digits === undefined ? null : Number.parseInt(digits, 10);
}

function recordTitle(
  { lines }: RecordLayout,
  titleRaw: string | null,
  { slug, stem }: RecordName,
): string {
  if (titleRaw !== null) return stripNumbering(titleRaw);
  return (
    frontmatterTitle(frontmatterFacts(lines)) ?? ((slug || stem).replace(/[-_]+/g, " ") || stem)
  );
}
