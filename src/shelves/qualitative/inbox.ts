import type { Value } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { codeById } from "./code.ts";
import { refuseCoded } from "./coding.ts";
import type { Hand, Project } from "./project.ts";
import { findWaiting, type InboxRow, wholeRow } from "./qda/storage-anchors.ts";
import { readText, refuseOutside } from "./source.ts";

export function waitingById({ db }: Pick<Project, "db">, id: number): InboxRow {
  const item = findWaiting(db, id);
  if (item) return item;
  throw new Failure("not-found", "INBOX_ITEM_NOT_FOUND", `Nothing of number ${id} waits`, {
    hints: ["list_inbox gives the numbers."],
  });
}

/** The column that numbers the rows of a table, where it has one: the number may be another's now. */
const ownNumber = { code_text: "ctid", annotation: "anid", case_text: "id" } as const;

/** Puts what waits at a place of the text, as the row that it was. */
export function placeWaiting(
  { pen, db }: Hand,
  { id, kind, source, was }: InboxRow,
  { start, end }: { start: number; end: number },
): { start: number; end: number; text: string } {
  const text = readText(db, source);
  refuseOutside(text, start, end);
  const words = text.slice(start, end);
  // What is in the inbox was written by `rewrite`, from a row of this table.
  const { rowid, ...row } = JSON.parse(was) as Record<string, Value>;
  delete row[ownNumber[kind]];
  if (kind === "code_text") {
    const code = Number(row.cid);
    codeById(db, code);
    const owner = typeof row.owner === "string" ? row.owner : null;
    refuseCoded(db, { code, source, start, end, text: words, owner });
  }
  const isFree = wholeRow(db, kind, Number(rowid)) === undefined;
  pen.insert(kind, {
    ...row,
    ...(isFree && { rowid: Number(rowid) }),
    pos0: start,
    pos1: end,
    ...(kind === "code_text" && { seltext: words }),
  });
  pen.remove("lectern_inbox", id);
  return { start, end, text: words };
}
