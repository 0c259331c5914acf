import type { Document } from "../../kernel/documents/documents.ts";
import { checksumOfRow } from "../../kernel/integrity/checksum.ts";
import type { DocumentRange } from "../../kernel/integrity/damage.ts";
import type { Database } from "../../kernel/storage/database.ts";
import { insertRows } from "../../kernel/storage/insert-rows.ts";
import type { FrontmatterFact } from "../../text/markdown/frontmatter.ts";
import { normalizeTag } from "../../text/markdown/inline-tags.ts";

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
export function saveMetadata(db: Database, abouts: readonly DocumentMetadata[]): void {
  deleteMetadata(
    db,
    abouts.map(({ document }) => document),
  );
  insertRows(
    db,
    "INSERT INTO search_documents (document, title, date, language, sum)",
    abouts.map((about) => [
      about.document,
      about.title.toWellFormed(),
      about.date ?? null,
      about.language ?? null,
      metadataChecksum(about),
    ]),
  );
  insertRows(
    db,
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
  insertRows(db, "INSERT INTO search_facts (document, key, value, number)", facts);
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

export function deleteMetadata(db: Database, documents: readonly number[]): void {
  const ids = JSON.stringify(documents);
  for (const table of ["search_documents", "search_facts", "search_links"]) {
    db.run(`DELETE FROM ${table} WHERE document IN (SELECT value FROM json_each(?))`, ids);
  }
}

/** A condition on the front matter. Most operators have one value. */
export interface FactCondition {
  key: string;
  operator: "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "contains" | "exists";
  values: readonly string[];
}

/** Documents that match a condition. Documents without the key match only negated conditions. */
export function findDocumentsByFact(db: Database, condition: FactCondition): number[] {
  const { key, operator, values } = condition;
  const isNegated = operator === "!=" || operator === "not in";
  const isTag = /^tags?$/i.test(key);
  const [sql, ...bound] =
    (isTag && toTagSql(operator, values)) || toComparisonSql(operator, values);
  const rows = db.all<{ id: number }>(
    `SELECT id FROM documents WHERE id ${isNegated ? "NOT " : ""}IN
       (SELECT document FROM search_facts WHERE key = ? AND ${sql})`,
    key,
    ...bound,
  );
  return rows.map(({ id }) => id);
}

/** A tag includes the tags below it: `area` matches `area/topic`. */
function toTagSql(
  operator: FactCondition["operator"],
  values: readonly string[],
): [sql: string, ...bound: string[]] | undefined {
  if (!["=", "!=", "in", "not in"].includes(operator)) return undefined;
  const tags = values.map(normalizeTag);
  // "0" follows "/" in ASCII, so the range holds what starts with `area/`.
  const sql = tags.map(() => "value = ? OR (value > ? || '/' AND value < ? || '0')").join(" OR ");
  return [`(${sql || "0"})`, ...tags.flatMap((tag) => [tag, tag, tag])];
}

/** Compares as numbers if both sides are numbers, otherwise as text. */
function toComparisonSql(
  operator: FactCondition["operator"],
  values: readonly string[],
): [sql: string, ...bound: (string | number)[]] {
  const [value = ""] = values;
  const number = parseNumber(value);
  switch (operator) {
    case "exists":
      return ["1"];
    case "contains":
      return ["instr(lower(value), lower(?)) > 0", value];
    case "in":
    case "not in":
      return ["value IN (SELECT value FROM json_each(?))", JSON.stringify(values)];
    case "=":
    case "!=":
      return number === null ? ["value = ?", value] : ["(value = ? OR number = ?)", value, number];
    default:
      return number === null
        ? [`value ${operator} ?`, value]
        : [
            `CASE WHEN number IS NULL THEN value ${operator} ? ELSE number ${operator} ? END`,
            value,
            number,
          ];
  }
}

/** Documents by the date in their front matter, or else by modification time. */
export function findDocumentsByDate(
  db: Database,
  after: number | undefined,
  before: number | undefined,
): number[] {
  const rows = db.all<{ id: number }>(
    `SELECT documents.id FROM documents
       JOIN search_documents ON search_documents.document = documents.id
      WHERE (?1 IS NULL OR coalesce(date, modified) >= ?1)
        AND (?2 IS NULL OR coalesce(date, modified) < ?2)`,
    after ?? null,
    before ?? null,
  );
  return rows.map(({ id }) => id);
}

/** Documents in a language, by its ISO 639-1 code. */
export function findDocumentsByLanguage(db: Database, language: string): number[] {
  return db
    .all<{ document: number }>("SELECT document FROM search_documents WHERE language = ?", language)
    .map(({ document }) => document);
}

export function listDocumentPaths(db: Database): { id: number; root: string; path: string }[] {
  return db.all("SELECT id, root, path FROM documents");
}

/**
 * Documents whose name may contain this one, ignoring case. SQLite folds the case of ASCII only, so
 * all other names are included.
 */
export function listPathsLike(db: Database, folded: string): { root: string; path: string }[] {
  return db.all(
    `SELECT root, path FROM documents
      WHERE instr(lower(root || '/' || path), ?) > 0
         OR octet_length(root || path) > length(root || path)`,
    folded,
  );
}

export function listPathsInRoot(db: Database, root: string): string[] {
  return db
    .all<{ path: string }>("SELECT path FROM documents WHERE root = ?", root)
    .map(({ path }) => path);
}

export function findDocumentById(db: Database, id: number): TitledDocument | undefined {
  return db.get(`${selectTitled} WHERE documents.id = ?`, id);
}

export interface HitDocument extends TitledDocument {
  /** 1 if another content has a hash that begins with the same six digits. */
  hasSharedPrefix: number;
}

/** The documents with these ids, by id. One statement is faster than several for each hit. */
export function findHitDocuments(db: Database, ids: Iterable<number>): Map<number, HitDocument> {
  const rows = db.all<HitDocument>(selectHitDocuments, JSON.stringify([...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

const minHashLength = 6;
const hashStart = `substr(documents.hash, 1, ${minHashLength})`;

const selectHitDocuments = `
  SELECT documents.id, documents.root, documents.path, hash, size, modified, title,
      EXISTS (SELECT 1 FROM documents AS other
        WHERE other.hash >= ${hashStart} AND other.hash < ${hashStart} || 'g'
          AND other.hash <> documents.hash) AS hasSharedPrefix
    FROM json_each(?) AS wanted
    CROSS JOIN documents ON documents.id = wanted.value
    JOIN search_documents ON search_documents.document = documents.id`;

export function findDocumentAt(
  db: Database,
  root: string,
  path: string,
): TitledDocument | undefined {
  return db.get(`${selectTitled} WHERE root = ? AND path = ?`, root, path);
}

/** Documents whose path ends with these segments. */
export function findDocumentsBySuffix(db: Database, suffix: string): TitledDocument[] {
  return db.all(
    `${selectTitled} WHERE path = ?1 OR substr('/' || path, -length(?1) - 1) = '/' || ?1
     ORDER BY root, path LIMIT 20`,
    suffix,
  );
}

/** Documents whose content hash has this prefix, one per content. */
export function findDocumentsByHash(db: Database, prefix: string): TitledDocument[] {
  return db.all(
    `${selectTitled} WHERE hash >= ?1 AND hash < ?1 || 'g' GROUP BY hash ORDER BY root, path LIMIT 20`,
    prefix,
  );
}

/** The shortest unique prefix of a document's hash, with at least six digits. */
export function shortestUniqueHash(
  db: Database,
  { hash, hasSharedPrefix }: Pick<HitDocument, "hash" | "hasSharedPrefix">,
): string {
  if (!hasSharedPrefix) return hash.slice(0, minHashLength);
  for (let length = minHashLength + 1; length < hash.length; length++) {
    const prefix = hash.slice(0, length);
    const other = db.get(
      "SELECT 1 FROM documents WHERE hash >= ?1 AND hash < ?1 || 'g' AND hash <> ?2",
      prefix,
      hash,
    );
    if (!other) return prefix;
  }
  return hash;
}

const parseNumber = (value: string): number | null =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : null;
