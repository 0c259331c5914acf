import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { Failure, invalid } from "../../kernel/failure.ts";
import { readName } from "../../text/decisions/file-name.ts";
import type { DecisionStatus } from "../../text/decisions/status.ts";
import { fileNameFor, mannerOf, newRecordText } from "../../text/decisions/template.ts";
import { visible } from "../../text/visible.ts";
import type { Ground, Plan } from "./plan.ts";
import type { RecordSet } from "./record-set.ts";

export interface NewDecision {
  title: string;
  status: DecisionStatus;
  /** ISO; today where it is left out. */
  date?: string | undefined;
  /** Only needed where records lie in several folders. */
  folder?: string | undefined;
  context?: string | undefined;
  decision?: string | undefined;
  consequences?: string | undefined;
}

export function planNew(ground: Ground, wanted: NewDecision): Plan {
  const { file, text, title } = drafted(ground, wanted);
  const edits = [{ file, before: undefined, after: text }];
  return { summary: `Record the decision '${title}'`, file, edits };
}

/** The next record of a folder, in the manner of those that are there. */
export function drafted({ set, textOf, today }: Ground, wanted: NewDecision) {
  const title = visible(wanted.title).replace(/\s+/g, " ");
  if (title === "") throw invalid("title must not be empty");
  const folder = folderFor(set, wanted.folder);
  const neighbours = set.decisions.filter((record) => record.folder === folder);
  const template = set.all.find((record) => record.kind === "template" && record.folder === folder);
  const manner = mannerOf(neighbours);
  const record = { ...wanted, title, number: nextNumber(set, folder), date: wanted.date ?? today };
  const file = posix.join(folder, fileNameFor(manner, record));
  if (set.files.has(file)) {
    throw new Failure("conflict", "exists", `'${file}' is there already.`, {
      hints: ["Give another title."],
    });
  }
  const text = newRecordText(manner, record, template && textOf(template.file));
  return { file, text, title };
}

/** One more than the greatest, in whatever file it is; the first is 1. */
function nextNumber({ all, unreadable }: RecordSet, folder: string): number {
  const files = [...all.map(({ file }) => file), ...unreadable];
  const inside = files.filter((file) => posix.dirname(file) === (folder || "."));
  return inside.reduce((most, file) => Math.max(most, readName(file).number ?? 0), 0) + 1;
}

function folderFor({ root, folders, named, decisions }: RecordSet, wanted?: string): string {
  const used = folders.filter((folder) => decisions.some((record) => record.folder === folder));
  if (wanted !== undefined) {
    const folder = posix
      .normalize(wanted)
      .replace(/^\.?\/|\/$/g, "")
      .replace(/^\.$/, "");
    if (folders.includes(folder)) return folder;
    throw invalid(`folder: '${visible(wanted).slice(0, 200)}' holds no decisions.`, [
      used.length > 0 ? `Folders: ${used.map((one) => one || ".").join(", ")}.` : "Leave it out.",
    ]);
  }
  if (used.length > 1) {
    throw invalid("folder is needed, as decisions lie in several folders.", [
      `Folders: ${used.map((folder) => folder || ".").join(", ")}.`,
    ]);
  }
  if (used[0] !== undefined) return used[0];
  if (named !== undefined) return named;
  return existsSync(join(root, "mcp/resources")) ? "mcp/resources/adr" : "docs/adr";
}
