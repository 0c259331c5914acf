import type { Database } from "../../../kernel/database.ts";
import { hasTable } from "./storage-project.ts";
import { nameIn, textIn } from "./storage-values.ts";

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
        `SELECT rowid AS id, ${nameIn("name")} AS name, ${textIn("jentry")} AS entry,
                ${textIn("date")} AS date, ${textIn("owner")} AS owner
           FROM journal ORDER BY name COLLATE NOCASE`,
      )
    : [];
