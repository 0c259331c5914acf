import { posix } from "node:path";
import { Failure } from "../../kernel/failure.ts";
import { withLink } from "../../text/decisions/edits.ts";
import { parseRecord } from "../../text/decisions/record.ts";
import { linkTo } from "../../text/decisions/template.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/** A file as it is to be; `before` is undefined for one that is to be made. */
export interface PlannedEdit {
  /** Relative to the root. */
  file: string;
  before: string | undefined;
  after: string;
}

/** What would be written, thought through and not yet done. */
export interface Plan {
  /** A sentence for people: `Supersede '0004 Old' by '0015 New'`. */
  summary: string;
  /** The record that it is about. */
  file: string;
  edits: PlannedEdit[];
}

/** What a plan is made on. */
export interface Ground {
  set: RecordSet;
  /** A file's text, byte for byte; refused where it is no UTF-8. */
  textOf(file: string): string;
  /** ISO. */
  today: string;
}

/** A link as the record writes it that it stands in. */
export function reference(from: PlacedRecord, { name, title, file }: PlacedRecord): string {
  const path = posix.relative(`/${from.folder}`, `/${file}`);
  // A bracket would end the link.
  const steps = path.split("/").map(encodeURIComponent).join("/");
  const href = steps.replaceAll("(", "%28").replaceAll(")", "%29");
  const form = from.format === "other" ? "nygard" : from.format;
  return linkTo(name, title, form, href);
}

/** The text with a sentence about another record, read again before anybody sees it. */
export function linkedText(
  from: PlacedRecord,
  text: string,
  verb: string,
  to: PlacedRecord,
): string {
  const link = reference(from, to);
  const after = withLink(text, verb, link);
  const isRead = parseRecord(after, from.file).links.some(({ href }) => link.endsWith(`(${href})`));
  if (!isRead) throw oddForm(from.file);
  return after;
}

/** What a form does not take is not written. */
export const oddForm = (file: string): Failure =>
  new Failure("conflict", "odd-form", `'${file}' is written in a form that this cannot change.`, {
    hints: ["Write it by hand."],
  });
