import { all, get, type Steps } from "../../kernel/storage/steps.ts";
import type { TitledDocument } from "./storage.ts";
import { caseless, foldCase } from "./storage-facts.ts";

/** A value and the number of documents with it. */
export interface FacetCount {
  value: string;
  documents: number;
}

const fromDocuments =
  "FROM search_documents AS about JOIN documents ON documents.id = about.document";
const fromFacts = "FROM search_facts JOIN documents ON documents.id = document";
const inRoot = "(root = ?1 OR ?1 IS NULL)";

export const countLanguages = (root: string | undefined): Steps<FacetCount[]> =>
  all(
    `SELECT language AS value, count(*) AS documents ${fromDocuments}
      WHERE ${inRoot} AND language IS NOT NULL GROUP BY language ORDER BY documents DESC, value`,
    root ?? null,
  );

/** The earliest and latest date in milliseconds; null if there is no document. */
export const readDateRange = (
  root: string | undefined,
): Steps<{ first: number | null; last: number | null } | undefined> =>
  get(
    `SELECT min(coalesce(date, modified)) AS first, max(coalesce(date, modified)) AS last ${fromDocuments}
      WHERE ${inRoot}`,
    root ?? null,
  );

const selectFacetKeys = caseless(
  (fold) =>
    `SELECT min(key) AS key, count(DISTINCT document) AS documents ${fromFacts}
      WHERE ${inRoot} GROUP BY ${fold("key")}
     HAVING count(DISTINCT document) > 1
            AND count(DISTINCT ${fold("value")}) * 3 <= count(DISTINCT document) * 2
         OR lower(${fold("key")}) IN ('tag', 'tags', 'category', 'categories', 'keywords')
      ORDER BY documents DESC, min(key) LIMIT ?2`,
);

/**
 * The front matter keys that are useful as facets: those with repeated values, and tags, which are
 * different in every document of a small collection. A key such as `title` is not one.
 */
export const findFacetKeys = (
  root: string | undefined,
  limit: number,
): Steps<{ key: string; documents: number }[]> => all(selectFacetKeys, root ?? null, limit);

const selectByKey = caseless(
  (fold) => `SELECT 1 AS found ${fromFacts} WHERE ${fold("key")} = ? LIMIT 1`,
);

/** Whether any document has this key in its front matter. */
export function* hasFacetKey(key: string): Steps<boolean> {
  return (yield* get(selectByKey, foldCase(key))) !== undefined;
}

const selectKeys = caseless(
  (fold) =>
    `SELECT min(key) AS key ${fromFacts}
      GROUP BY ${fold("key")} ORDER BY count(DISTINCT document) DESC, min(key)`,
);

/** All keys of the front matter, the most frequent first. */
export function* listFacetKeys(): Steps<string[]> {
  const rows = yield* all<{ key: string }>(selectKeys);
  return rows.map(({ key }) => key);
}

const selectValues = caseless(
  (fold) =>
    `SELECT min(value) AS value, count(DISTINCT document) AS documents ${fromFacts}
      WHERE ${inRoot} AND ${fold("key")} = ?2
      GROUP BY ${fold("search_facts.value")} ORDER BY documents DESC, min(value) LIMIT ?3`,
);

export const countValues = (
  root: string | undefined,
  key: string,
  limit: number,
): Steps<FacetCount[]> => all(selectValues, root ?? null, foldCase(key), limit);

const selectLinking = (wanted: string): string =>
  `SELECT DISTINCT documents.id, documents.root, documents.path, hash, size, modified, title
     FROM ${wanted}
     JOIN search_links ON target = wanted.value ->> 1
     JOIN documents ON documents.id = search_links.document
                   AND documents.root = wanted.value ->> 0
     JOIN search_documents ON search_documents.document = documents.id
    ORDER BY documents.root, documents.path`;

const linkingDocuments = {
  sqlite: selectLinking("json_each(?) AS wanted"),
  postgres: selectLinking("jsonb_array_elements(?::jsonb) AS wanted (value)"),
};

/** The documents with a link to one of the targets in the same root, by path. */
export const findLinkingDocuments = (
  targets: readonly (readonly [root: string, target: string])[],
): Steps<TitledDocument[]> => all(linkingDocuments, JSON.stringify(targets));
