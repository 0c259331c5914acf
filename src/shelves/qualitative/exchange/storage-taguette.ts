import type { Database } from "../../../kernel/database.ts";

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

/** Offsets count bytes of UTF-8 over the text of a document, without its markup. */
export interface TaguetteHighlight {
  id: number;
  document: number;
  start: number;
  end: number;
  /** HTML. */
  snippet: string | null;
  tag: number;
}

/** The tables that a Taguette database has; a view of such a name could do anything when read. */
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

/** A highlight once for each of its tags, and those without a tag once with none. */
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
