import type { Database } from "../../../kernel/database.ts";
import type { Hand } from "../project.ts";
import { addRow, guidRow, rowsOf } from "../qda/storage-exchange.ts";

/** The things that keep the GUID under which they came. */
export type GuidKind =
  | "coder"
  | "category"
  | "code"
  | "source"
  | "passage"
  | "area"
  | "stretch"
  | "annotation"
  | "case"
  | "attribute"
  | "journal"
  | "folder";

/**
 * The GUIDs that a project remembers. A row that was deleted may leave its number to a new one, so
 * a GUID holds only while the date of the row is the same.
 */
export function knownGuids(
  db: Database,
): (kind: GuidKind, key: string, date: string | null) => string | undefined {
  const rows = rowsOf<Record<"kind" | "key" | "guid", string> & { date: string | null }>(
    db,
    "lectern_guids",
  );
  const known = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row]));
  return (kind, key, date) => {
    const row = known.get(`${kind} ${key}`);
    return row && row.date === date ? row.guid : undefined;
  };
}

export function rememberGuid(
  db: Database,
  kind: GuidKind,
  key: string,
  { guid, date }: { guid: string; date: string | null },
): void {
  addRow(db, "lectern_guids", { kind, key, date, guid });
}

/** The same as part of a change that can be undone; a row's number may have been another's before. */
export function noteGuid(
  { pen, db, date }: Pick<Hand, "pen" | "db" | "date">,
  kind: GuidKind,
  row: number,
  guid: string,
): void {
  const values = { kind, key: String(row), date, guid };
  const old = guidRow(db, kind, String(row));
  if (old === undefined) pen.insert("lectern_guids", values);
  else pen.update("lectern_guids", old, values);
}
