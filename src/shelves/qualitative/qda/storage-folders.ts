import type { Database } from "../../../kernel/database.ts";
import { hasTable } from "./storage-project.ts";

export interface FolderRow {
  id: number;
  name: string;
  parent: number | null;
  /** How many sources in it are seen by whoever asks. */
  sources: number;
}

/** Folders are ours: QualCoder has none, so a project that we never wrote to has none either. */
export const allFolders = (db: Database): FolderRow[] =>
  hasTable(db, "lectern_folders")
    ? db.all(
        `SELECT f.id, f.name, f.parent_id AS parent, ifnull(seen.sources, 0) AS sources
           FROM lectern_folders f
           LEFT JOIN (${countsIn("source")}) seen ON seen.key = f.id
          ORDER BY f.name COLLATE NOCASE, f.id`,
      )
    : [];

const countsIn = (sources: string): string =>
  `SELECT o.folder_id AS key, count(*) AS sources
     FROM lectern_sources o JOIN ${sources} s ON s.id = o.source_id AND s.date IS o.source_date
    WHERE o.folder_id IS NOT NULL GROUP BY o.folder_id`;

/** What stays noted of a folder in which nobody who asks sees a source: private and deleted ones. */
export const sourcesNoted = (db: Database, folder: number): number[] =>
  db
    .all<{ id: number }>("SELECT source_id AS id FROM lectern_sources WHERE folder_id = ?", folder)
    .map(({ id }) => id);
