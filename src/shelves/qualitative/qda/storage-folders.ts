import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

export interface FolderRow {
  id: number;
  name: string;
  parent: number | null;
  /** How many sources in it are seen by whoever asks. */
  sources: number;
  /** 1 where a source is in it, be it a private one. */
  isFull: number;
}

/** Folders are ours: QualCoder has none, so a project that we never wrote to has none either. */
export const allFolders = (db: Database): FolderRow[] =>
  columnsOf(db, "lectern_folders").length === 0
    ? []
    : db.all(
        `SELECT f.id, f.name, f.parent_id AS parent,
                (SELECT count(*) ${within("source")}) AS sources,
                EXISTS (SELECT 1 ${within("main.source")}) AS isFull
           FROM lectern_folders f
          ORDER BY f.name COLLATE NOCASE, f.id`,
      );

const within = (sources: string): string =>
  `FROM lectern_sources o JOIN ${sources} s ON s.id = o.source_id AND s.date IS o.source_date
    WHERE o.folder_id = f.id`;
