import type { Database } from "../../../kernel/storage/database.ts";
import { hasTable } from "./storage-project.ts";

export interface FolderRow {
  id: number;
  name: string;
  parent: number | null;
  /** Number of sources in it that the caller can see. */
  sources: number;
}

/** QualCoder has no folders, so a project that Lectern has never written to has none. */
export const allFolders = (db: Database): FolderRow[] =>
  hasTable(db, "lectern_folders")
    ? db.all(
        `SELECT f.id, f.name, f.parent_id AS parent, ifnull(seen.sources, 0) AS sources
           FROM lectern_folders f
           LEFT JOIN (${sourceCountsQuery("source")}) seen ON seen.key = f.id
          ORDER BY f.name COLLATE NOCASE, f.id`,
      )
    : [];

const sourceCountsQuery = (sources: string): string =>
  `SELECT o.folder_id AS key, count(*) AS sources
     FROM lectern_sources o JOIN ${sources} s ON s.id = o.source_id AND s.date IS o.source_date
    WHERE o.folder_id IS NOT NULL GROUP BY o.folder_id`;

/** The rows of private and deleted sources in a folder that looks empty to the caller. */
export const sourceIdsFiledIn = (db: Database, folder: number): number[] =>
  db
    .all<{ id: number }>("SELECT source_id AS id FROM lectern_sources WHERE folder_id = ?", folder)
    .map(({ id }) => id);
