import type { Database } from "../../../kernel/storage/database.ts";
import type { WriteContext } from "../project/project.ts";
import { exchangedRows, findGuidRowId, insertExchangedRow } from "../qda/storage-exchange.ts";

/** The kinds of items that keep the GUID they were imported with. */
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
 * The GUIDs stored in a project. SQLite may reuse the id of a deleted row, so a GUID is valid only
 * while the date of the row matches.
 */
export function readStoredGuids(
  db: Database,
): (kind: GuidKind, key: string, date: string | null) => string | undefined {
  const rows = exchangedRows<Record<"kind" | "key" | "guid", string> & { date: string | null }>(
    db,
    "lectern_guids",
  );
  const known = new Map(rows.map((row) => [`${row.kind} ${row.key}`, row]));
  return (kind, key, date) => {
    const row = known.get(`${kind} ${key}`);
    return row && row.date === date ? row.guid : undefined;
  };
}

export function insertGuid(
  db: Database,
  kind: GuidKind,
  key: string,
  { guid, date }: { guid: string; date: string | null },
): void {
  insertExchangedRow(db, "lectern_guids", { kind, key, date, guid });
}

/**
 * Stores a GUID as part of a change that can be undone. It replaces the GUID of an earlier row with
 * the same id.
 */
export function saveGuid(
  { writer, db, date }: Pick<WriteContext, "writer" | "db" | "date">,
  kind: GuidKind,
  row: number,
  guid: string,
): void {
  const values = { kind, key: String(row), date, guid };
  const old = findGuidRowId(db, kind, String(row));
  if (old === undefined) writer.insert("lectern_guids", values);
  else writer.update("lectern_guids", old, values);
}
