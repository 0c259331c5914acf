import { posix } from "node:path";
import { Failure } from "../../../kernel/failure.ts";
import { parseRecord } from "../../../text/decisions/record.ts";
import { addRecordLink } from "../../../text/decisions/record-edits.ts";
import { formatRecordLink } from "../../../text/decisions/record-template.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/** The new text of a file; `before` is undefined for a file to be created. */
export interface PlannedEdit {
  /** Relative to the root. */
  file: string;
  before: string | undefined;
  after: string;
}

/** A set of edits that is computed and not yet written. */
export interface ChangePlan {
  /** A one-line description, e.g. `Supersede '0004 Old' by '0015 New'`. */
  summary: string;
  /** The record that the plan changes or creates. */
  file: string;
  edits: PlannedEdit[];
}

/** The input of a plan. */
export interface PlanContext {
  set: RecordSet;
  /** The exact text of a file; throws if it is not UTF-8. */
  readText(file: string): string;
  /** ISO 8601 date. */
  today: string;
}

/** A link to a record, in the format of the record that contains it. */
export function formatReference(from: PlacedRecord, { name, title, file }: PlacedRecord): string {
  const path = posix.relative(`/${from.folder}`, `/${file}`);
  // An unescaped bracket would end the link.
  const steps = path.split("/").map(encodeURIComponent).join("/");
  const href = steps.replaceAll("(", "%28").replaceAll(")", "%29");
  const format = from.format === "other" ? "nygard" : from.format;
  return formatRecordLink(name, title, format, href);
}

/** Adds a link to another record and parses the result to verify that it is recognised. */
export function addVerifiedLink(
  from: PlacedRecord,
  text: string,
  verb: string,
  to: PlacedRecord,
): string {
  const link = formatReference(from, to);
  const after = addRecordLink(text, verb, link);
  const isRecognised = parseRecord(after, from.file).links.some(({ href }) =>
    link.endsWith(`(${href})`),
  );
  if (!isRecognised) throw unsupportedFormat(from.file);
  return after;
}

/** Refuses a format that the edit cannot be written in. */
export const unsupportedFormat = (file: string): Failure =>
  new Failure(
    "conflict",
    "odd-form",
    `'${file}' has a format that cannot be edited automatically.`,
    {
      hints: ["Edit the file manually."],
    },
  );
