import { posix } from "node:path";
import { headingNumber } from "../../../text/decisions/record.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { decisionLabel } from "./decision-lookup.ts";
import {
  linkPathOf,
  type PlacedRecord,
  type RecordSet,
  type ResolvedLink,
  resolveLinkPath,
} from "./record-set.ts";
import { findNygardFolders, requiredSections } from "./required-sections.ts";

/** A problem, or a likely problem, of a record. */
export interface LintFinding {
  file: string;
  line: number;
  rule: LintRule;
  severity: "error" | "warning";
  message: string;
}

/** Every rule with its severity: an error is certain, a warning may be intended. */
export const lintRules = {
  unreadable: "error",
  "missing-title": "error",
  "missing-section": "error",
  "missing-status": "warning",
  "bad-status": "error",
  "bad-date": "warning",
  "bad-name": "warning",
  "duplicate-number": "error",
  "other-number": "warning",
  "broken-link": "error",
  "one-way-link": "warning",
  "no-successor": "warning",
  "still-in-force": "warning",
  circle: "error",
  "long-undecided": "warning",
} as const satisfies Record<string, LintFinding["severity"]>;

export type LintRule = keyof typeof lintRules;

export interface LintOptions {
  /** ISO 8601 date. */
  today: string;
  /** The number of days after which an open decision is reported. */
  days: number;
}

/** All findings, file by file. */
export function lintRecords(set: RecordSet, options: LintOptions): LintFinding[] {
  const nygardFolders = findNygardFolders(set);
  const findings = [
    ...set.unreadable.map((file) =>
      finding({ file }, "unreadable", "It cannot be read as text, or is too large for a record."),
    ),
    ...set.decisions.flatMap((record) => [
      ...formFindings(record, nygardFolders.has(record.folder)),
      ...statusFindings(set, record, options),
      ...linkFindings(set, record),
    ]),
    ...duplicateNumberFindings(set),
    ...cycleFindings(set),
  ];
  const order = new Map(set.all.map(({ file }, index) => [file, index]));
  const rank = ({ file }: LintFinding): number => order.get(file) ?? -1;
  return findings.sort((a, b) => rank(a) - rank(b) || a.line - b.line);
}

const finding = (
  { file }: { file: string },
  rule: LintRule,
  message: string,
  line = 1,
): LintFinding => ({ file, line, rule, severity: lintRules[rule], message: toPrintable(message) });

function* formFindings(record: PlacedRecord, isAmongNygard: boolean): Generator<LintFinding> {
  const { titleRaw, sections, format, name, number, date, dateRaw } = record;
  if (titleRaw === null) yield finding(record, "missing-title", "It has no title: '# Title'.");
  const titles = sections.map(({ title }) => title.replace(/^\d+[.)]\s*/, ""));
  const required = requiredSections(format, titles, isAmongNygard);
  const missing = required.filter(([, fits]) => !titles.some((title) => fits.test(title)));
  if (missing.length > 0) {
    const names = missing.map(([name]) => `'${name}'`).join(", ");
    yield finding(record, "missing-section", `It has no section ${names}.`);
  }
  if (dateRaw !== null && date === null) {
    yield finding(record, "bad-date", `'${dateRaw}' is not a date: write it as 2020-12-31.`);
  }
  if (!isWellNamed(record)) {
    yield finding(
      record,
      "bad-name",
      `'${name.stem}' is not a number and a title in lower case: 001-use-postgres.`,
    );
  }
  const titleNumber = titleRaw === null ? null : headingNumber(titleRaw);
  if (titleNumber !== null && number !== null && titleNumber !== number) {
    yield finding(
      record,
      "other-number",
      `Its title has the number ${titleNumber}, its file name ${number}.`,
    );
  }
}

const isWellNamed = ({ name }: PlacedRecord): boolean =>
  (name.number !== null || name.date !== null) &&
  /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u.test(name.slug);

function* statusFindings(
  set: RecordSet,
  record: PlacedRecord,
  { today, days }: LintOptions,
): Generator<LintFinding> {
  const { status, statusRaw, date } = record;
  const line = record.statusLine ?? 1;
  const newer = set.supersededBy(record);
  if (statusRaw === null) yield finding(record, "missing-status", "It has no status.");
  else if (status === null || status === "other") {
    yield finding(record, "bad-status", `'${statusRaw}' is not a known status.`, line);
  }
  if (status === "superseded" && newer.length === 0) {
    yield finding(record, "no-successor", "It is superseded, but no successor is recorded.", line);
  }
  const fullSupersession = newer.find(({ partial }) => !partial);
  if (fullSupersession && status !== "superseded") {
    const message = `'${decisionLabel(fullSupersession.newer)}' supersedes it, but its status does not say so.`;
    yield finding(record, "still-in-force", message, line);
  }
  const age = date === null ? 0 : (Date.parse(today) - Date.parse(date)) / 86_400_000;
  if (status === "proposed" && age > days) {
    yield finding(
      record,
      "long-undecided",
      `It has been open for ${pluralise(Math.floor(age), "day")}.`,
      line,
    );
  }
}

function* linkFindings(set: RecordSet, record: PlacedRecord): Generator<LintFinding> {
  for (const link of set.linksOf(record)) {
    if (!link.target) {
      if (isBrokenLink(set, record, link)) {
        const message = `'${link.verb} ${link.href ?? link.text}' does not lead to a record.`;
        yield finding(record, "broken-link", message, link.line);
      }
    } else if (!isReciprocated(set, record, link)) {
      const message = `It says '${link.verb} ${decisionLabel(link.target)}', but that record does not link back.`;
      yield finding(record, "one-way-link", message, link.line);
    }
  }
}

/** A link to an existing page that is not a record is not broken. */
function isBrokenLink(
  set: RecordSet,
  { folder }: PlacedRecord,
  { href, relation }: ResolvedLink,
): boolean {
  if (href === null) return true;
  if (/^https?:/i.test(href)) return false;
  const file = resolveLinkPath(folder, linkPathOf(href));
  if (set.files.has(file)) return false;
  const targetFolder = posix.dirname(file) === "." ? "" : posix.dirname(file);
  return relation !== "other" || set.folders.includes(targetFolder) || file.startsWith("../");
}

const inverseRelations = {
  supersedes: "superseded by",
  "superseded by": "supersedes",
  amends: "amended by",
  "amended by": "amends",
} as const;

/** Whether the target links back. Only relations with an inverse can be checked. */
function isReciprocated(
  set: RecordSet,
  record: PlacedRecord,
  { relation, target }: ResolvedLink,
): boolean {
  if (relation === "other" || !target || target === record) return true;
  const inverse = inverseRelations[relation];
  return set.linksOf(target).some((back) => back.relation === inverse && back.target === record);
}

function* duplicateNumberFindings(set: RecordSet): Generator<LintFinding> {
  const first = new Map<string, PlacedRecord>();
  for (const record of set.decisions) {
    if (record.number === null) continue;
    const key = `${record.folder}\n${record.number}`;
    const other = first.get(key);
    if (!other) first.set(key, record);
    else {
      const message = `Its number ${record.number} is also used by '${other.name.stem}'.`;
      yield finding(record, "duplicate-number", message);
    }
  }
}

/** Reports each decision whose chain of successors leads back to itself. */
function* cycleFindings(set: RecordSet): Generator<LintFinding> {
  for (const record of set.decisions) {
    const isSuperseded = set.supersededBy(record).some(({ partial }) => !partial);
    if (isSuperseded && set.findInForce(record).length === 0) {
      yield finding(record, "circle", "The decisions that supersede it lead back to itself.");
    }
  }
}
