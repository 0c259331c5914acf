import { posix } from "node:path";
import { groupedBy } from "../../text/grouped.ts";
import { inMarkdown } from "../../text/markdown-cells.ts";
import { visible } from "../../text/visible.ts";
import { calledBy } from "./asked-record.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/** The decisions in the order of their days, the oldest first; those without a day at the end. */
export function timelineOf({ decisions }: RecordSet): PlacedRecord[] {
  const last = "9999";
  return [...decisions].sort((a, b) => {
    const [one, other] = [a.date ?? last, b.date ?? last];
    return one === other ? 0 : one < other ? -1 : 1;
  });
}

/** A list of the decisions in Markdown. Its links start from `from`, a folder below the root. */
export function contentsOf({ decisions, folders }: RecordSet, from: string): string {
  const listed = (records: readonly PlacedRecord[]): string[] =>
    records.map((record) => {
      const path = posix.relative(`/${from}`, `/${record.file}`);
      return `* [${inMarkdown(calledBy(record))}](${linkPath(path)})${statusMark(record)}`;
    });
  const byFolder = groupedBy(decisions, ({ folder }) => folder);
  const used = folders.filter((folder) => byFolder.has(folder));
  if (used.length <= 1) return ["# Decisions", "", ...listed(decisions)].join("\n");
  const parts = used.flatMap((folder) => [
    "",
    `## ${inMarkdown(visible(folder || "."))}`,
    "",
    ...listed(byFolder.get(folder) ?? []),
  ]);
  return ["# Decisions", ...parts].join("\n");
}

/** A path with spaces or brackets needs a frame. */
const linkPath = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `<${path.replace(/[<>\p{Cc}]/gu, encodeURIComponent)}>`;

const statusMark = ({ status }: PlacedRecord): string => (status ? ` (${status})` : "");
