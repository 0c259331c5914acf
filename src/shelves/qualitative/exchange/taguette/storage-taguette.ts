import type { Database } from "../../../../kernel/storage/database.ts";

export interface TaguetteProject {
  id: number;
  name: string;
  description: string | null;
}

export interface TaguetteDocument {
  id: number;
  name: string;
  description: string | null;
  created: string | null;
  /** HTML. */
  contents: string;
}

export interface TaguetteTag {
  id: number;
  path: string;
  description: string | null;
}

/** Offsets count UTF-8 bytes of the document's text without markup. */
export interface TaguetteHighlight {
  id: number;
  document: number;
  start: number;
  end: number;
  /** HTML. */
  snippet: string | null;
  tag: number;
}

/**
 * Checks for Taguette's tables. Views with these names are not accepted: they could run any query.
 */
export const isTaguette = (db: Database): boolean =>
  db.get<{ count: number }>(
    `SELECT count(*) AS count FROM sqlite_schema
      WHERE type = 'table'
        AND name IN ('projects', 'documents', 'tags', 'highlights', 'highlight_tags')`,
  )?.count === 5;

export const taguetteProjects = (db: Database): TaguetteProject[] =>
  db.all("SELECT id, name, description FROM projects ORDER BY id");

export const taguetteDocuments = (db: Database, project: number): TaguetteDocument[] =>
  db.all(
    `SELECT id, name, description, created, contents FROM documents
      WHERE project_id = ? ORDER BY id`,
    project,
  );

export const taguetteTags = (db: Database, project: number): TaguetteTag[] =>
  db.all("SELECT id, path, description FROM tags WHERE project_id = ? ORDER BY id", project);

/** One row per highlight and tag; a highlight without tags has one row. */
export const taguetteHighlights = (db: Database, project: number): TaguetteHighlight[] =>
  db.all(
    `SELECT h.id, h.document_id AS document, h.start_offset AS start, h.end_offset AS "end",
            h.snippet, ifnull(t.tag_id, 0) AS tag
       FROM highlights h
       JOIN documents d ON d.id = h.document_id
       LEFT JOIN highlight_tags t ON t.highlight_id = h.id
      WHERE d.project_id = ?
      ORDER BY h.id, t.tag_id`,
    project,
  );
