import { posix } from "node:path";
import { counted } from "../../text/counted.ts";
import { headingNumber } from "../../text/decisions/record.ts";
import { visible } from "../../text/visible.ts";
import { calledBy } from "./asked-record.ts";
import {
  inFolder,
  type PlacedRecord,
  pathOf,
  type RecordSet,
  type ResolvedLink,
} from "./record-set.ts";
import { foldersMostlyNygard, wantedSections } from "./wanted-sections.ts";

/** Something that is wrong with a record, or looks so. */
export interface Finding {
  file: string;
  line: number;
  rule: LintRule;
  severity: "error" | "warning";
  message: string;
}

/** Every rule; an error is certain, a warning may be wanted. */
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
} as const satisfies Record<string, Finding["severity"]>;

export type LintRule = keyof typeof lintRules;

export interface LintOptions {
  /** ISO. */
  today: string;
  /** How long a decision may be open. */
  days: number;
}

/** What is wrong with the records, file by file. */
export function lint(set: RecordSet, options: LintOptions): Finding[] {
  const nygardFolders = foldersMostlyNygard(set);
  const findings = [
    ...set.unreadable.map((file) =>
      finding({ file }, "unreadable", "It cannot be read as text of a record's size."),
    ),
    ...set.decisions.flatMap((record) => [
      ...formOf(record, nygardFolders.has(record.folder)),
      ...statusFindings(set, record, options),
      ...linkFindings(set, record),
    ]),
    ...duplicates(set),
    ...circles(set),
  ];
  const place = new Map(set.all.map(({ file }, index) => [file, index]));
  const rank = ({ file }: Finding): number => place.get(file) ?? -1;
  return findings.sort((a, b) => rank(a) - rank(b) || a.line - b.line);
}

const finding = (
  { file }: { file: string },
  rule: LintRule,
  message: string,
  line = 1,
): Finding => ({ file, line, rule, severity: lintRules[rule], message: visible(message) });

function* formOf(record: PlacedRecord, isAmongNygard: boolean): Generator<Finding> {
  const { titleRaw, sections, format, name, number, date, dateRaw } = record;
  if (titleRaw === null) yield finding(record, "missing-title", "It has no title: '# Title'.");
  const titles = sections.map(({ title }) => title.replace(/^\d+[.)]\s*/, ""));
  const wanted = wantedSections(format, titles, isAmongNygard);
  const missing = wanted.filter(([, fits]) => !titles.some((title) => fits.test(title)));
  if (missing.length > 0) {
    const names = missing.map(([name]) => `'${name}'`).join(", ");
    yield finding(record, "missing-section", `It has no section ${names}.`);
  }
  if (dateRaw !== null && date === null) {
    yield finding(record, "bad-date", `'${dateRaw}' is no date: write it as 2020-12-31.`);
  }
  if (!isWellNamed(record)) {
    yield finding(
      record,
      "bad-name",
      `'${name.stem}' is no number and title in small letters: 001-use-postgres.`,
    );
  }
  const told = titleRaw === null ? null : headingNumber(titleRaw);
  if (told !== null && number !== null && told !== number) {
    yield finding(record, "other-number", `Its title says ${told}, its name ${number}.`);
  }
}

const isWellNamed = ({ name }: PlacedRecord): boolean =>
  (name.number !== null || name.date !== null) &&
  /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u.test(name.slug);

function* statusFindings(
  set: RecordSet,
  record: PlacedRecord,
  { today, days }: LintOptions,
): Generator<Finding> {
  const { status, statusRaw, date } = record;
  const line = record.statusLine ?? 1;
  const newer = set.supersededBy(record);
  if (statusRaw === null) yield finding(record, "missing-status", "It has no status.");
  else if (status === null || status === "other") {
    yield finding(record, "bad-status", `'${statusRaw}' is no status that is known.`, line);
  }
  if (status === "superseded" && newer.length === 0) {
    yield finding(record, "no-successor", "It is superseded, and nothing says by what.", line);
  }
  const whole = newer.find(({ partial }) => !partial);
  if (whole && status !== "superseded") {
    const message = `'${calledBy(whole.newer)}' supersedes it, and its status does not say so.`;
    yield finding(record, "still-in-force", message, line);
  }
  const age = date === null ? 0 : (Date.parse(today) - Date.parse(date)) / 86_400_000;
  if (status === "proposed" && age > days) {
    yield finding(
      record,
      "long-undecided",
      `It has been open for ${counted(Math.floor(age), "day")}.`,
      line,
    );
  }
}

function* linkFindings(set: RecordSet, record: PlacedRecord): Generator<Finding> {
  for (const link of set.linksOf(record)) {
    if (!link.target) {
      if (isBroken(set, record, link)) {
        const message = `'${link.verb} ${link.href ?? link.text}' leads to no record.`;
        yield finding(record, "broken-link", message, link.line);
      }
    } else if (!isAnswered(set, record, link)) {
      const message = `It says '${link.verb} ${calledBy(link.target)}', which does not say so of it.`;
      yield finding(record, "one-way-link", message, link.line);
    }
  }
}

/** A page beside the records is no record, and yet it is there. */
function isBroken(
  set: RecordSet,
  { folder }: PlacedRecord,
  { href, relation }: ResolvedLink,
): boolean {
  if (href === null) return true;
  if (/^https?:/i.test(href)) return false;
  const file = inFolder(folder, pathOf(href));
  if (set.files.has(file)) return false;
  const place = posix.dirname(file) === "." ? "" : posix.dirname(file);
  return relation !== "other" || set.folders.includes(place) || file.startsWith("../");
}

const answers = {
  supersedes: "superseded by",
  "superseded by": "supersedes",
  amends: "amended by",
  "amended by": "amends",
} as const;

/** Only for words that have an opposite can it be told whether the other side says it. */
function isAnswered(
  set: RecordSet,
  record: PlacedRecord,
  { relation, target }: ResolvedLink,
): boolean {
  if (relation === "other" || !target || target === record) return true;
  const wanted = answers[relation];
  return set.linksOf(target).some((back) => back.relation === wanted && back.target === record);
}

function* duplicates(set: RecordSet): Generator<Finding> {
  const first = new Map<string, PlacedRecord>();
  for (const record of set.decisions) {
    if (record.number === null) continue;
    const key = `${record.folder}\n${record.number}`;
    const other = first.get(key);
    if (!other) first.set(key, record);
    else {
      const message = `Its number ${record.number} is that of '${other.name.stem}' too.`;
      yield finding(record, "duplicate-number", message);
    }
  }
}

/** Told once for each decision that, in the end, supersedes itself. */
function* circles(set: RecordSet): Generator<Finding> {
  for (const record of set.decisions) {
    const isSuperseded = set.supersededBy(record).some(({ partial }) => !partial);
    if (isSuperseded && set.living(record).length === 0) {
      yield finding(record, "circle", "The decisions that supersede it lead back to itself.");
    }
  }
}
