import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { parseRecordName } from "../../../text/decisions/file-name.ts";
import {
  detectRecordStyle,
  newRecordText,
  recordFileName,
} from "../../../text/decisions/record-template.ts";
import type { DecisionStatus } from "../../../text/decisions/status.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { ChangePlan, PlanContext } from "./change-plan.ts";
import type { RecordSet } from "./record-set.ts";

export interface NewDecision {
  title: string;
  status: DecisionStatus;
  /** ISO 8601; defaults to today. */
  date?: string | undefined;
  /** Required only if records are in several folders. */
  folder?: string | undefined;
  context?: string | undefined;
  decision?: string | undefined;
  consequences?: string | undefined;
}

export function planNewDecision(context: PlanContext, decision: NewDecision): ChangePlan {
  const { file, text, title } = draftDecision(context, decision);
  const edits = [{ file, before: undefined, after: text }];
  return { summary: `Record the decision '${title}'`, file, edits };
}

/** The next record of a folder, in the style of its existing records. */
export function draftDecision({ set, readText, today }: PlanContext, decision: NewDecision) {
  const title = toPrintable(decision.title).replace(/\s+/g, " ");
  if (title === "") throw invalid("title must not be empty");
  const folder = chooseFolder(set, decision.folder);
  const neighbours = set.decisions.filter((record) => record.folder === folder);
  const template = set.all.find((record) => record.kind === "template" && record.folder === folder);
  const style = detectRecordStyle(neighbours);
  const record = {
    ...decision,
    title,
    number: nextNumber(set, folder),
    date: decision.date ?? today,
  };
  const file = posix.join(folder, recordFileName(style, record));
  if (set.files.has(file)) {
    throw new Failure("conflict", "exists", `'${file}' already exists.`, {
      hints: ["Choose another title."],
    });
  }
  const text = newRecordText(style, record, template && readText(template.file));
  return { file, text, title };
}

/** One more than the highest number of any file, readable or not; the first is 1. */
function nextNumber({ all, unreadable }: RecordSet, folder: string): number {
  const files = [...all.map(({ file }) => file), ...unreadable];
  const siblings = files.filter((file) => posix.dirname(file) === (folder || "."));
  return (
    siblings.reduce((highest, file) => Math.max(highest, parseRecordName(file).number ?? 0), 0) + 1
  );
}

function chooseFolder(
  { root, folders, configuredFolder, decisions }: RecordSet,
  requested?: string,
): string {
  const usedFolders = folders.filter((folder) =>
    decisions.some((record) => record.folder === folder),
  );
  if (requested !== undefined) {
    const folder = posix
      .normalize(requested)
      .replace(/^\.?\/|\/$/g, "")
      .replace(/^\.$/, "");
    if (folders.includes(folder)) return folder;
    throw invalid(`folder: '${toPrintable(requested).slice(0, 200)}' contains no decisions.`, [
      usedFolders.length > 0
        ? `Folders: ${usedFolders.map((path) => path || ".").join(", ")}.`
        : "Omit it.",
    ]);
  }
  if (usedFolders.length > 1) {
    throw invalid("folder is required because decisions are in several folders.", [
      `Folders: ${usedFolders.map((folder) => folder || ".").join(", ")}.`,
    ]);
  }
  if (usedFolders[0] !== undefined) return usedFolders[0];
  if (configuredFolder !== undefined) return configuredFolder;
  return existsSync(join(root, "mcp/resources")) ? "mcp/resources/adr" : "docs/adr";
}
