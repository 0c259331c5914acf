import * as z from "zod";
import { decisionStatuses } from "../../../text/decisions/status.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/** The JSON form of a record. */
export const RecordOutput = z.object({
  file: z.string().describe("Relative to the root"),
  kind: z.enum(["adr", "template", "index"]),
  format: z.enum(["nygard", "madr", "madr-frontmatter", "other"]),
  number: z.int().nullable().describe("From the file's name"),
  title: z.string().describe("The heading without its numbering"),
  title_raw: z.string().nullable(),
  status: z.enum([...decisionStatuses, "other"]).nullable(),
  status_raw: z.string().nullable(),
  status_from: z.enum(["frontmatter", "inline", "section"]).nullable(),
  date: z.string().nullable().describe("ISO"),
  date_raw: z.string().nullable(),
  deciders: z.array(z.string()),
  sections: z.array(z.string()).describe("Headings of the second level"),
  supersedes: z.array(z.string()).describe("Files, stated on either side"),
  superseded_by: z.array(z.string()).describe("Files, stated on either side"),
});

export const toRecordOutput = (
  set: RecordSet,
  record: PlacedRecord,
): z.input<typeof RecordOutput> => ({
  file: record.file,
  kind: record.kind,
  format: record.format,
  number: record.number,
  title: record.title,
  title_raw: record.titleRaw,
  status: record.status,
  status_raw: record.statusRaw,
  status_from: record.statusFrom,
  date: record.date,
  date_raw: record.dateRaw,
  deciders: record.deciders,
  sections: record.sections.map(({ title }) => title),
  supersedes: set.supersedes(record).map(({ older }) => older.file),
  superseded_by: set.supersededBy(record).map(({ newer }) => newer.file),
});

type RecordOutputData = z.output<typeof RecordOutput>;

/** `docs/adr/0004-x.md  superseded  2017-07-14  DNS definitions`. */
export function formatRecordLine({
  file,
  status,
  date,
  title,
  superseded_by,
}: RecordOutputData): string {
  const successors = superseded_by.length > 0 ? `  → ${superseded_by.join(", ")}` : "";
  return toPrintable(`${file}  ${status ?? "-"}  ${date ?? "-"}  ${title}${successors}`);
}
