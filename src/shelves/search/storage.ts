import { checksumOfRow } from "../../kernel/checksum.ts";
import type { DocumentRange } from "../../kernel/damage.ts";
import type { Database } from "../../kernel/database.ts";
import type { Document } from "../../kernel/documents.ts";
import type { Fact } from "../../text/frontmatter.ts";

/** A document with the title that the index read off it. */
export type TitledDocument = Document & { title: string };

const titled = `
  SELECT documents.id, root, path, hash, size, modified, title
    FROM documents JOIN search_documents ON search_documents.document = documents.id`;

/** What the index reads off a document beside its words. */
export interface About {
  document: number;
  title: string;
  /** Milliseconds, where the document itself says when it was written. */
  date: number | undefined;
  language: string | undefined;
  facts: readonly Fact[];
  /** Where its links lead, as paths of its collection. */
  targets: readonly string[];
}

/**
 * Replaces what is known of these documents. One statement writes all rows of a table: to call
 * SQLite for each would take longer than what it does.
 */
export function saveAbout(db: Database, abouts: readonly About[]): void {
  deleteAbout(
    db,
    abouts.map(({ document }) => document),
  );
  db.run(
    `INSERT INTO search_documents (document, title, date, language, sum)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`,
    JSON.stringify(
      abouts.map((about) => [
        about.document,
        about.title,
        about.date ?? null,
        about.language ?? null,
        sumOfAbout(about),
      ]),
    ),
  );
  db.run(
    `INSERT INTO search_links (document, target)
     SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
    JSON.stringify(
      abouts.flatMap(({ document, targets }) =>
        targets.map((target) => [document, target.toWellFormed()]),
      ),
    ),
  );
  // A long value may have been cut between the halves of a letter, which SQLite would keep as such.
  const facts = abouts.flatMap(({ document, facts }) =>
    facts.map(({ key, value }) => [document, key, value.toWellFormed(), numberIn(value)]),
  );
  db.run(
    `INSERT INTO search_facts (document, key, value, number)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
    JSON.stringify(facts),
  );
}

/** As the rows give it back: texts hold no half letters, and nothing is null. */
const sumOfAbout = ({ document, title, date, language, facts, targets }: About): number =>
  checksumOfRow([
    document,
    title.toWellFormed(),
    date ?? null,
    language ?? null,
    facts.map(({ key, value }) => [key.toWellFormed(), value.toWellFormed(), numberIn(value)]),
    targets.map((target) => target.toWellFormed()),
  ]);

/** The documents of which the rows are not as they were saved. */
export function damagedAbouts(db: Database, { after, upTo }: DocumentRange): number[] {
  // Facts and links are gathered by SQLite, in the order in which they were saved.
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
  const strays = ["search_facts", "search_links"].flatMap((table) =>
    db.all<{ document: number }>(
      `SELECT DISTINCT document FROM ${table} AS held WHERE document > ? AND document <= ?
          AND NOT EXISTS (SELECT 1 FROM search_documents WHERE document = held.document)`,
      after,
      upTo,
    ),
  );
  return [...damaged, ...strays].map(({ document }) => document);
}

export function deleteAbout(db: Database, documents: readonly number[]): void {
  const ids = JSON.stringify(documents);
  for (const table of ["search_documents", "search_facts", "search_links"]) {
    db.run(`DELETE FROM ${table} WHERE document IN (SELECT value FROM json_each(?))`, ids);
  }
}

/** A condition on the front matter; most operators take one value. */
export interface FactCondition {
  key: string;
  operator: "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "contains" | "exists";
  values: readonly string[];
}

/** Documents whose front matter fits a condition. What lacks the key fits only a denial of it. */
export function documentsWithFact(db: Database, condition: FactCondition): number[] {
  const { key, operator, values } = condition;
  const isDenied = operator === "!=" || operator === "not in";
  const [sql, ...bound] = comparison(operator, values);
  const rows = db.all<{ id: number }>(
    `SELECT id FROM documents WHERE id ${isDenied ? "NOT " : ""}IN
       (SELECT document FROM search_facts WHERE key = ? AND ${sql})`,
    key,
    ...bound,
  );
  return rows.map(({ id }) => id);
}

/** Numbers are compared as numbers where both sides are; all else by its letters. */
function comparison(
  operator: FactCondition["operator"],
  values: readonly string[],
): [sql: string, ...bound: (string | number)[]] {
  const [value = ""] = values;
  const number = numberIn(value);
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

/** By the date that a document gives itself, or else by the time of its file. */
export function documentsDated(
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

/** Documents in a language, by its two letters. */
export function documentsIn(db: Database, language: string): number[] {
  return db
    .all<{ document: number }>("SELECT document FROM search_documents WHERE language = ?", language)
    .map(({ document }) => document);
}

export function allPlaces(db: Database): { id: number; root: string; path: string }[] {
  return db.all("SELECT id, root, path FROM documents");
}

export function titlesOf(db: Database, documents: readonly number[]): Map<number, string> {
  const rows = db.all<{ document: number; title: string }>(
    `SELECT document, title FROM search_documents
      WHERE document IN (SELECT value FROM json_each(?))`,
    JSON.stringify(documents),
  );
  return new Map(rows.map(({ document, title }) => [document, title]));
}

export function pathsIn(db: Database, root: string): string[] {
  return db
    .all<{ path: string }>("SELECT path FROM documents WHERE root = ?", root)
    .map(({ path }) => path);
}

export function documentWithId(db: Database, id: number): TitledDocument | undefined {
  return db.get(`${titled} WHERE documents.id = ?`, id);
}

export function documentAt(db: Database, root: string, path: string): TitledDocument | undefined {
  return db.get(`${titled} WHERE root = ? AND path = ?`, root, path);
}

/** Documents whose `collection/path` ends with these words, cut at a slash. */
export function documentsEndingWith(db: Database, suffix: string): TitledDocument[] {
  return db.all(
    `${titled} WHERE path = ?1 OR substr('/' || path, -length(?1) - 1) = '/' || ?1
     ORDER BY root, path LIMIT 20`,
    suffix,
  );
}

/** Documents whose content's hash begins with these digits, one for each content. */
export function documentsByHash(db: Database, prefix: string): TitledDocument[] {
  return db.all(
    `${titled} WHERE hash >= ?1 AND hash < ?1 || 'g' GROUP BY hash ORDER BY root, path LIMIT 20`,
    prefix,
  );
}

/** The shortest beginning of a hash, of six digits or more, that no other content shares. */
export function shortHash(db: Database, hash: string): string {
  for (let length = 6; length < hash.length; length++) {
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

const numberIn = (value: string): number | null =>
  /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : null;
