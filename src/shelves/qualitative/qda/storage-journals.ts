import type { Database } from "../../../kernel/storage/database.ts";
import { hasTable } from "./storage-project.ts";
import { nameColumn, textColumn } from "./storage-values.ts";

export interface JournalRow {
  id: number;
  name: string;
  entry: string | null;
  date: string | null;
  owner: string | null;
}

export const allJournals = (db: Database): JournalRow[] =>
  hasTable(db, "journal")
    ? db.all(
        `SELECT rowid AS id, ${nameColumn("name")} AS name, ${textColumn("jentry")} AS entry,
                ${textColumn("date")} AS date, ${textColumn("owner")} AS owner
           FROM journal ORDER BY name COLLATE NOCASE`,
      )
    : [];
