import { Failure } from "../../../kernel/failure.ts";
import type { ColumnValue } from "../../../kernel/storage/database.ts";
import { requireCode } from "../codebook/code.ts";
import type { QdaProject, WriteContext } from "../project/project.ts";
import { findInboxItem, findWholeRow, type InboxRow } from "../qda/storage-anchors.ts";
import { assertInsideText, readSourceText } from "../sources/source.ts";
import { assertNotCoded } from "./passages.ts";

export function requireInboxItem({ db }: Pick<QdaProject, "db">, id: number): InboxRow {
  const item = findInboxItem(db, id);
  if (item) return item;
  throw new Failure("not-found", "INBOX_ITEM_NOT_FOUND", `Inbox item not found: ${id}`, {
    hints: ["list_inbox lists the ids."],
  });
}

/** The primary key of each table. It is not restored, because the id may have been reused. */
const idColumnByTable = { code_text: "ctid", annotation: "anid", case_text: "id" } as const;

/** Restores an inbox item as its original row, at a range of the text. */
export function restoreInboxItem(
  { writer, db }: WriteContext,
  { id, kind, source, was }: InboxRow,
  { start, end }: { start: number; end: number },
): { start: number; end: number; text: string } {
  const text = readSourceText(db, source);
  assertInsideText(text, start, end);
  const quote = text.slice(start, end);
  // Only `rewriteSource` writes inbox items, from a row of this table.
  const { rowid, ...row } = JSON.parse(was) as Record<string, ColumnValue>;
  delete row[idColumnByTable[kind]];
  if (kind === "code_text") {
    const code = Number(row.cid);
    requireCode(db, code);
    const owner = typeof row.owner === "string" ? row.owner : null;
    assertNotCoded(db, { code, source, start, end, text: quote, owner });
  }
  const isFree = findWholeRow(db, kind, Number(rowid)) === undefined;
  writer.insert(kind, {
    ...row,
    ...(isFree && { rowid: Number(rowid) }),
    pos0: start,
    pos1: end,
    ...(kind === "code_text" && { seltext: quote }),
  });
  writer.remove("lectern_inbox", id);
  return { start, end, text: quote };
}
