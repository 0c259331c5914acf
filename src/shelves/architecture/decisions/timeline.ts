import { posix } from "node:path";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { escapeMarkdown } from "../../../text/markdown/markdown-output.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { decisionLabel } from "./decision-lookup.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/** The decisions sorted by date, oldest first; undated ones last. */
export function sortByDate({ decisions }: RecordSet): PlacedRecord[] {
  const last = "9999";
  return [...decisions].sort((a, b) => {
    const [left, right] = [a.date ?? last, b.date ?? last];
    return left === right ? 0 : left < right ? -1 : 1;
  });
}

/** A Markdown list of the decisions. Its links are relative to `from`, a folder below the root. */
export function renderTableOfContents({ decisions, folders }: RecordSet, from: string): string {
  const toItems = (records: readonly PlacedRecord[]): string[] =>
    records.map((record) => {
      const path = posix.relative(`/${from}`, `/${record.file}`);
      return `* [${escapeMarkdown(decisionLabel(record))}](${escapeLinkPath(path)})${statusSuffix(record)}`;
    });
  const byFolder = groupBy(decisions, ({ folder }) => folder);
  const usedFolders = folders.filter((folder) => byFolder.has(folder));
  if (usedFolders.length <= 1) return ["# Decisions", "", ...toItems(decisions)].join("\n");
  const parts = usedFolders.flatMap((folder) => [
    "",
    `## ${escapeMarkdown(toPrintable(folder || "."))}`,
    "",
    ...toItems(byFolder.get(folder) ?? []),
  ]);
  return ["# Decisions", ...parts].join("\n");
}

/** A path with special characters is enclosed in angle brackets. */
const escapeLinkPath = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `<${path.replace(/[<>\p{Cc}]/gu, encodeURIComponent)}>`;

const statusSuffix = ({ status }: PlacedRecord): string => (status ? ` (${status})` : "");
