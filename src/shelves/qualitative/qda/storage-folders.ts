import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

export interface FolderRow {
  id: number;
  name: string;
  parent: number | null;
  sources: number;
}

/** Folders are ours: QualCoder has none, so a project that we never wrote to has none either. */
export const allFolders = (db: Database): FolderRow[] =>
  columnsOf(db, "lectern_folders").length === 0
    ? []
    : db.all(
        `SELECT f.id, f.name, f.parent_id AS parent,
                (SELECT count(*)
                   FROM lectern_sources o
                   JOIN main.source s ON s.id = o.source_id AND s.date IS o.source_date
                  WHERE o.folder_id = f.id) AS sources
           FROM lectern_folders f
          ORDER BY f.name COLLATE NOCASE, f.id`,
      );
