import type { Database } from "../../kernel/storage/database.ts";
import type { TitledDocument } from "./storage.ts";

/** A value and the number of documents with it. */
export interface FacetCount {
  value: string;
  documents: number;
}

const fromDocuments =
  "FROM search_documents AS about JOIN documents ON documents.id = about.document";
const inRoot = "(?1 IS NULL OR root = ?1)";

export function countLanguages(db: Database, root: string | undefined): FacetCount[] {
  return db.all(
    `SELECT language AS value, count(*) AS documents ${fromDocuments}
      WHERE ${inRoot} AND language IS NOT NULL GROUP BY language ORDER BY documents DESC, value`,
    root ?? null,
  );
}

/** The earliest and latest date in milliseconds; null if there is no document. */
export function readDateRange(db: Database, root: string | undefined) {
  return db.get<{ first: number | null; last: number | null }>(
    `SELECT min(coalesce(date, modified)) AS first, max(coalesce(date, modified)) AS last ${fromDocuments}
      WHERE ${inRoot}`,
    root ?? null,
  );
}

/**
 * The front matter keys that are useful as facets: those with repeated values, and tags, which are
 * different in every document of a small collection. A key such as `title` is not one.
 */
export function findFacetKeys(db: Database, root: string | undefined, limit: number) {
  return db.all<{ key: string; documents: number }>(
    `SELECT min(key) AS key, count(DISTINCT document) AS documents
       FROM search_facts JOIN documents ON documents.id = document
      WHERE ${inRoot} GROUP BY key
     HAVING documents > 1 AND count(DISTINCT value) * 3 <= documents * 2
         OR lower(key) IN ('tag', 'tags', 'category', 'categories', 'keywords')
      ORDER BY documents DESC, key LIMIT ?2`,
    root ?? null,
    limit,
  );
}

/** Whether any document has this key in its front matter. */
export const hasFacetKey = (db: Database, key: string): boolean =>
  db.get(
    "SELECT 1 FROM search_facts JOIN documents ON documents.id = document WHERE key = ? LIMIT 1",
    key,
  ) !== undefined;

/** All keys of the front matter, the most frequent first. */
export const listFacetKeys = (db: Database): string[] =>
  db
    .all<{ key: string }>(
      `SELECT min(key) AS key FROM search_facts JOIN documents ON documents.id = document
        GROUP BY key ORDER BY count(DISTINCT document) DESC, key`,
    )
    .map(({ key }) => key);

export function countValues(
  db: Database,
  root: string | undefined,
  key: string,
  limit: number,
): FacetCount[] {
  return db.all(
    `SELECT min(value) AS value, count(DISTINCT document) AS documents
       FROM search_facts JOIN documents ON documents.id = document
      WHERE ${inRoot} AND key = ?2 GROUP BY value ORDER BY documents DESC, value LIMIT ?3`,
    root ?? null,
    key,
    limit,
  );
}

/** The documents with a link to one of the targets in the same root, by path. */
export function findLinkingDocuments(
  db: Database,
  targets: readonly (readonly [root: string, target: string])[],
): TitledDocument[] {
  return db.all(
    `SELECT DISTINCT documents.id, documents.root, documents.path, hash, size, modified, title
       FROM json_each(?) AS wanted
       JOIN search_links ON target = wanted.value ->> 1
       JOIN documents ON documents.id = search_links.document
                     AND documents.root = wanted.value ->> 0
       JOIN search_documents ON search_documents.document = documents.id
      ORDER BY documents.root, documents.path`,
    JSON.stringify(targets),
  );
}
