import type { Database } from "../../../kernel/database.ts";
import { columnsOf } from "./storage-project.ts";

export interface JournalRow {
  id: number;
  name: string;
  entry: string | null;
  date: string | null;
  owner: string | null;
}

export const allJournals = (db: Database): JournalRow[] =>
  columnsOf(db, "journal").length === 0
    ? []
    : db.all(
        `SELECT rowid AS id, name, jentry AS entry, date, owner FROM journal
          ORDER BY name COLLATE NOCASE`,
      );

export interface CoderRow {
  id: number;
  name: string;
  isHidden: number;
  codings: number;
}

/** Everybody who has coded something or is in the list; the number is 0 for who is not listed. */
export const allCoders = (db: Database): CoderRow[] => {
  const isListed = columnsOf(db, "coder_names").length > 0;
  const listed = isListed
    ? "SELECT rowid AS id, name, visibility = 0 AS isHidden FROM coder_names"
    : "SELECT 0 AS id, '' AS name, 0 AS isHidden WHERE 0";
  return db.all(
    `WITH listed AS (${listed}),
          every AS (SELECT name FROM listed UNION SELECT owner FROM code_text WHERE owner <> '')
     SELECT ifnull(l.id, 0) AS id, e.name, ifnull(l.isHidden, 0) AS isHidden,
            (SELECT count(*) FROM code_text c WHERE c.owner = e.name) AS codings
       FROM every e LEFT JOIN listed l ON l.name = e.name
      ORDER BY e.name COLLATE NOCASE`,
  );
};

export const projectNumber = (db: Database): number | undefined =>
  db.get<{ id: number }>("SELECT rowid AS id FROM project LIMIT 1")?.id;
