import { factsOf, frontmatterTitle } from "../frontmatter.ts";
import { dateOf } from "./date.ts";
import { decidersOf, type Field, fieldNamed } from "./field.ts";
import { type RecordName, readName } from "./file-name.ts";
import { type Layout, layoutOf, type RecordSection } from "./layout.ts";
import { linksOf, type RecordLink } from "./link.ts";
import { type DecisionStatus, statusOf } from "./status.ts";

type RecordKind = "adr" | "template" | "index";

/** The families of forms that records come in. */
type RecordFormat = "nygard" | "madr" | "madr-frontmatter" | "other";

/** A decision record, whatever form it is written in. */
export interface DecisionRecord {
  kind: RecordKind;
  format: RecordFormat;
  name: RecordName;
  number: number | null;
  /** The heading without its numbering. */
  title: string;
  /** The first heading of the first level, or null where there is none. */
  titleRaw: string | null;
  status: DecisionStatus | "other" | null;
  statusRaw: string | null;
  statusFrom: Field["from"] | null;
  /** The line of the status, counted from one. */
  statusLine: number | null;
  date: string | null;
  dateRaw: string | null;
  deciders: string[];
  links: RecordLink[];
  sections: readonly RecordSection[];
}

/** Reads any text as a record: what is missing is null, and nothing is an error. */
export function parseRecord(text: string, file: string): DecisionRecord {
  const layout = layoutOf(text);
  const name = readName(file);
  const titleRaw = layout.headings.find(({ depth, title }) => depth === 1 && title)?.title ?? null;
  const status = fieldNamed(layout, "status");
  const date = fieldNamed(layout, "date");
  const format = formatOf(layout);
  const kind = kindOf(name, titleRaw, format, status);
  return {
    kind,
    format,
    name,
    number: kind === "adr" ? name.number : null,
    title: titleOf(layout, titleRaw, name),
    titleRaw,
    status: kind === "adr" ? statusOf(status?.value ?? null) : null,
    statusRaw: status?.value ?? null,
    statusFrom: status?.from ?? null,
    statusLine: status?.line ?? null,
    date: kind === "adr" ? (dateOf(date?.value ?? "") ?? name.date) : null,
    dateRaw: date?.value ?? null,
    deciders: kind === "adr" ? decidersOf(layout) : [],
    links: kind === "adr" ? linksOf(layout) : [],
    sections: layout.sections,
  };
}

const templateName =
  /^(?:adr|madr|nygard|decision|record)?[-_ ]?template(?:[-_](?:bare|minimal|short|long|full|adr|madr))*$/i;
const indexName =
  /^(?:readme|_?index|toc|summary|contents|overview|(?:adr|decision)[-_]?log|log)$/i;

function kindOf(
  { slug, stem, number, date }: RecordName,
  titleRaw: string | null,
  format: RecordFormat,
  status: Field | undefined,
): RecordKind {
  if (indexName.test(stem)) return "index";
  if (templateName.test(number ? "" : slug)) return "template";
  // A title that is still a gap to be filled: `{short title}`, `[short title]`.
  if (titleRaw !== null && /^(\{[^}]*\}|\[[^\]]*\])$/.test(titleRaw)) return "template";
  const isRecord = number !== null || date !== null || format !== "other" || status !== undefined;
  return isRecord ? "adr" : "index";
}

/** The sections by which a form is known, in small letters. */
const nygardSections = ["context", "decision", "consequences"];
const madrSections = ["context and problem statement", "decision outcome"];

function formatOf(layout: Layout): RecordFormat {
  const titles = new Set(layout.sections.map(({ title }) => title.toLowerCase()));
  if (madrSections.some((title) => titles.has(title))) {
    return hasMetadata(layout) ? "madr-frontmatter" : "madr";
  }
  return nygardSections.every((title) => titles.has(title)) ? "nygard" : "other";
}

const hasMetadata = ({ lines, head }: Layout): boolean =>
  lines.slice(1, Math.max(head - 1, 1)).some((line) => metadataKey.test(line));

const metadataKey = /^(status|date|deciders|decision-makers)[ \t]*:/i;

/** `12. Title`, `0012 Title`, `ADR-12: Title`, `Architecture Decision Record: Title`. */
const numbering = [
  /^(?:adr|architectur(?:e|al) decision(?: record)?|decision(?: record)?)[\s#-]*\d+(?:\s*[:.–—-]\s*|\s+)/i,
  /^(?:adr|architectur(?:e|al) decision record|decision record)(?::\s*|\s+[.–—-]\s+)/i,
  /^\d+(?:[.):]\s+|\s+[:–—-]\s+)/,
  /^0\d+\s+/,
];

export function withoutNumbering(heading: string): string {
  const own = numbering.find((pattern) => pattern.test(heading));
  const rest = own ? heading.replace(own, "").trim() : heading;
  return rest === "" ? heading : rest;
}

/** The number that a heading carries, if it does. */
export function headingNumber(heading: string): number | null {
  const prefix = heading.slice(0, heading.length - withoutNumbering(heading).length);
  const digits = /\d{1,9}/.exec(prefix)?.[0];
  return digits === undefined ? null : Number.parseInt(digits, 10);
}

function titleOf({ lines }: Layout, titleRaw: string | null, { slug, stem }: RecordName): string {
  if (titleRaw !== null) return withoutNumbering(titleRaw);
  return frontmatterTitle(factsOf(lines)) ?? ((slug || stem).replace(/[-_]+/g, " ") || stem);
}
