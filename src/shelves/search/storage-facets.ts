import type { Database } from "../../kernel/database.ts";
import type { TitledDocument } from "./storage.ts";

/** A value, and how many documents have it. */
export interface Counted {
  value: string;
  documents: number;
}

const shown = "FROM search_documents AS about JOIN documents ON documents.id = about.document";
const inRoot = "(?1 IS NULL OR root = ?1)";

export function languageCounts(db: Database, root: string | undefined): Counted[] {
  return db.all(
    `SELECT language AS value, count(*) AS documents ${shown}
      WHERE ${inRoot} AND language IS NOT NULL GROUP BY language ORDER BY documents DESC, value`,
    root ?? null,
  );
}

/** The first and the last day of all, in milliseconds; none where there is no document. */
export function dateRange(db: Database, root: string | undefined) {
  return db.get<{ first: number | null; last: number | null }>(
    `SELECT min(coalesce(date, modified)) AS first, max(coalesce(date, modified)) AS last ${shown}
      WHERE ${inRoot}`,
    root ?? null,
  );
}

/**
 * The keys of the front matter that sort documents: whose values come again. A title that every
 * document has its own of sorts nothing.
 */
export function sortingKeys(db: Database, root: string | undefined, most: number) {
  return db.all<{ key: string; documents: number }>(
    `SELECT min(key) AS key, count(DISTINCT document) AS documents
       FROM search_facts JOIN documents ON documents.id = document
      WHERE ${inRoot} GROUP BY key
     HAVING documents > 1 AND count(DISTINCT value) * 3 <= documents * 2
      ORDER BY documents DESC, key LIMIT ?2`,
    root ?? null,
    most,
  );
}

export function valueCounts(
  db: Database,
  root: string | undefined,
  key: string,
  most: number,
): Counted[] {
  return db.all(
    `SELECT min(value) AS value, count(DISTINCT document) AS documents
       FROM search_facts JOIN documents ON documents.id = document
      WHERE ${inRoot} AND key = ?2 GROUP BY value ORDER BY documents DESC, value LIMIT ?3`,
    root ?? null,
    key,
    most,
  );
}

/** The documents with a link to one of the targets that are meant in their root, by their paths. */
export function documentsLinkingTo(
  db: Database,
  meant: readonly (readonly [root: string, target: string])[],
): TitledDocument[] {
  return db.all(
    `SELECT DISTINCT documents.id, documents.root, documents.path, hash, size, modified, title
       FROM json_each(?) AS meant
       JOIN search_links ON target = meant.value ->> 1
       JOIN documents ON documents.id = search_links.document
                     AND documents.root = meant.value ->> 0
       JOIN search_documents ON search_documents.document = documents.id
      ORDER BY documents.root, documents.path`,
    JSON.stringify(meant),
  );
}
