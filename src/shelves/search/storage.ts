import type { Document } from "../../kernel/documents/documents.ts";
import { checksumOfRow } from "../../kernel/integrity/checksum.ts";
import type { DocumentRange } from "../../kernel/integrity/damage.ts";
import type { Database } from "../../kernel/storage/database.ts";
import { all, get, inNumbers, insertAll, run, type Steps } from "../../kernel/storage/steps.ts";
import type { FrontmatterFact } from "../../text/markdown/frontmatter.ts";
import { caseless, parseNumber } from "./storage-facts.ts";

/** A document with its title. */
export type TitledDocument = Document & { title: string };

const selectTitled = `
  SELECT documents.id, root, path, hash, size, modified, title
    FROM documents JOIN search_documents ON search_documents.document = documents.id`;

/** The indexed metadata of a document. */
export interface DocumentMetadata {
  document: number;
  title: string;
  /** The date in the front matter in milliseconds, if it has one. */
  date: number | undefined;
  language: string | undefined;
  facts: readonly FrontmatterFact[];
  /** The targets of its links, as paths in its collection. */
  targets: readonly string[];
}

/**
 * Replaces the metadata of these documents. One statement writes all rows of a table, because the
 * overhead of a statement per row would be larger than the work.
 */
export function* saveMetadata(abouts: readonly DocumentMetadata[]): Steps<void> {
  yield* deleteMetadata(abouts.map(({ document }) => document));
  yield* insertAll(
    "INSERT INTO search_documents (document, title, date, language, sum)",
    abouts.map((about) => [
      about.document,
      about.title.toWellFormed(),
      about.date ?? null,
      about.language ?? null,
      metadataChecksum(about),
    ]),
  );
  yield* insertAll(
    "INSERT INTO search_links (document, target)",
    abouts.flatMap(({ document, targets }) =>
      targets.map((target) => [document, target.toWellFormed()]),
    ),
  );
  // A truncated value may end in half of a surrogate pair, which SQLite would store.
  const facts = abouts.flatMap(({ document, facts }) =>
    facts.map(({ key, value }) => [
      document,
      key.toWellFormed(),
      value.toWellFormed(),
      parseNumber(value),
    ]),
  );
  yield* insertAll("INSERT INTO search_facts (document, key, value, number)", facts);
}

/** Normalized like the stored rows: well-formed text, and null for undefined. */
const metadataChecksum = ({
  document,
  title,
  date,
  language,
  facts,
  targets,
}: DocumentMetadata): number =>
  checksumOfRow([
    document,
    title.toWellFormed(),
    date ?? null,
    language ?? null,
    facts.map(({ key, value }) => [key.toWellFormed(), value.toWellFormed(), parseNumber(value)]),
    targets.map((target) => target.toWellFormed()),
  ]);

/** The documents whose rows do not match their checksums. */
export function findDamagedMetadata(db: Database, { after, upTo }: DocumentRange): number[] {
  // SQLite aggregates facts and links in insertion order.
  const rows = db.all<{ document: number; row: string; sum: number }>(
    `SELECT document, sum, json_array(document, title, date, language,
        json((SELECT json_group_array(json_array(key, value, number) ORDER BY rowid)
           FROM search_facts AS facts WHERE facts.document = about.document)),
        json((SELECT json_group_array(target ORDER BY rowid)
           FROM search_links AS links WHERE links.document = about.document))) AS row
       FROM search_documents AS about WHERE document > ? AND document <= ?`,
    after,
    upTo,
  );
  const damaged = rows.filter(({ row, sum }) => checksumOfRow(JSON.parse(row)) !== sum);
  const orphans = ["search_facts", "search_links"].flatMap((table) =>
    db.all<{ document: number }>(
      `SELECT DISTINCT document FROM ${table} AS held WHERE document > ? AND document <= ?
          AND NOT EXISTS (SELECT 1 FROM search_documents WHERE document = held.document)`,
      after,
      upTo,
    ),
  );
  return [...damaged, ...orphans].map(({ document }) => document);
}

export function* deleteMetadata(documents: readonly number[]): Steps<void> {
  if (documents.length === 0) return;
  const ids = JSON.stringify(documents);
  for (const table of ["search_documents", "search_facts", "search_links"]) {
    yield* run(`DELETE FROM ${table} WHERE document ${inNumbers("?")}`, ids);
  }
}

/** Documents by the date in their front matter, or else by modification time. */
export function* findDocumentsByDate(
  after: number | undefined,
  before: number | undefined,
): Steps<number[]> {
  const rows = yield* all<{ id: number }>(
    `SELECT documents.id FROM documents
       JOIN search_documents ON search_documents.document = documents.id
      WHERE (coalesce(date, modified) >= ?1 OR ?1 IS NULL)
        AND (coalesce(date, modified) < ?2 OR ?2 IS NULL)`,
    after ?? null,
    before ?? null,
  );
  return rows.map(({ id }) => id);
}

/** Documents in a language, by its ISO 639-1 code. */
export function* findDocumentsByLanguage(language: string): Steps<number[]> {
  const rows = yield* all<{ document: number }>(
    "SELECT document FROM search_documents WHERE language = ?",
    language,
  );
  return rows.map(({ document }) => document);
}

export const listDocumentPaths = (): Steps<{ id: number; root: string; path: string }[]> =>
  all("SELECT id, root, path FROM documents");

const selectPathsLike = caseless(
  (_fold, position) =>
    `SELECT root, path FROM documents
      WHERE ${position}(lower(root || '/' || path), ?) > 0
         OR octet_length(root || path) > length(root || path)`,
);

/**
 * Documents whose name may contain this one, ignoring case. Only the case of ASCII is folded, so all
 * other names are included.
 */
export const listPathsLike = (folded: string): Steps<{ root: string; path: string }[]> =>
  all(selectPathsLike, folded);

export function* listPathsInRoot(root: string): Steps<string[]> {
  const rows = yield* all<{ path: string }>("SELECT path FROM documents WHERE root = ?", root);
  return rows.map(({ path }) => path);
}

export const findDocumentById = (id: number): Steps<TitledDocument | undefined> =>
  get(`${selectTitled} WHERE documents.id = ?`, id);

export interface HitDocument extends TitledDocument {
  /** Whether another content has a hash that begins with the same six digits. */
  hasSharedPrefix: number | boolean;
}

/** The documents with these ids, by id. One statement is faster than several for each hit. */
export function* findHitDocuments(ids: Iterable<number>): Steps<Map<number, HitDocument>> {
  const rows = yield* all<HitDocument>(selectHitDocuments, JSON.stringify([...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

const minHashLength = 6;
const hashStart = `substr(documents.hash, 1, ${minHashLength})`;

const hitColumns = `documents.id, documents.root, documents.path, hash, size, modified, title,
      EXISTS (SELECT 1 FROM documents AS other
        WHERE other.hash >= ${hashStart} AND other.hash < ${hashStart} || 'g'
          AND other.hash <> documents.hash) AS "hasSharedPrefix"`;

const selectHitDocuments = {
  sqlite: `SELECT ${hitColumns}
    FROM json_each(?) AS wanted
    CROSS JOIN documents ON documents.id = wanted.value
    JOIN search_documents ON search_documents.document = documents.id`,
  postgres: `SELECT ${hitColumns}
    FROM documents JOIN search_documents ON search_documents.document = documents.id
   WHERE documents.id ${inNumbers("?")}`,
};

/** Documents that may have this title. Only the case of ASCII is folded, so all others are included. */
export const listTitledLike = (folded: string): Steps<TitledDocument[]> =>
  all(
    `${selectTitled} WHERE lower(title) = ? OR octet_length(title) > length(title)
     ORDER BY root, path`,
    folded,
  );

export const findDocumentAt = (root: string, path: string): Steps<TitledDocument | undefined> =>
  get(`${selectTitled} WHERE root = ? AND path = ?`, root, path);

const endsWith = (end: string): string =>
  `${selectTitled} WHERE path = ?1 OR ${end} = '/' || ?1 ORDER BY root, path LIMIT 20`;

const selectBySuffix = {
  sqlite: endsWith("substr('/' || path, -length(?1) - 1)"),
  postgres: endsWith("right('/' || path, length(?1) + 1)"),
};

/** Documents whose path ends with these segments. */
export const findDocumentsBySuffix = (suffix: string): Steps<TitledDocument[]> =>
  all(selectBySuffix, suffix);

const withHashPrefix = "WHERE hash >= ?1 AND hash < ?1 || 'g'";

const selectByHash = {
  sqlite: `${selectTitled} ${withHashPrefix} GROUP BY hash ORDER BY root, path LIMIT 20`,
  postgres: `SELECT * FROM
      (SELECT DISTINCT ON (hash) * FROM (${selectTitled}) AS every ${withHashPrefix}
        ORDER BY hash, root, path) AS different
    ORDER BY root, path LIMIT 20`,
};

/** Documents whose content hash has this prefix, one per content. */
export const findDocumentsByHash = (prefix: string): Steps<TitledDocument[]> =>
  all(selectByHash, prefix);

/** The shortest unique prefix of a document's hash, with at least six digits. */
export function* shortestUniqueHash({
  hash,
  hasSharedPrefix,
}: Pick<HitDocument, "hash" | "hasSharedPrefix">): Steps<string> {
  if (!hasSharedPrefix) return hash.slice(0, minHashLength);
  for (let length = minHashLength + 1; length < hash.length; length++) {
    const prefix = hash.slice(0, length);
    const other = yield* get(
      `SELECT 1 AS found FROM documents ${withHashPrefix} AND hash <> ?2`,
      prefix,
      hash,
    );
    if (!other) return prefix;
  }
  return hash;
}
