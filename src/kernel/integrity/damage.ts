import { pluralise } from "../../text/strings/pluralise.ts";
import type { Database } from "../storage/database.ts";

/** The damage that a verification found. */
export interface Damage {
  /** Documents to index again, with a description of what is damaged. */
  readonly documents: Map<string, Set<number>>;
  /**
   * Damage that cannot be attributed to documents, so all derived tables of the owner must be
   * rebuilt.
   */
  readonly broken: Set<string>;
}

/** The code of the failure of a search that finds damage. */
export const indexDamagedCode = "index-damaged";

/** A part of the store that is verified in steps. */
export interface IntegrityCheck {
  readonly name: string;
  /**
   * Verifies some rows after a position, which takes one or two milliseconds, and adds the damage
   * that it finds. The position is a JSON value that only this part interprets; it may come from
   * another process.
   */
  verify(db: Database, after: unknown, damage: Damage): IntegrityStep;
}

export interface IntegrityStep {
  /** The position of the next step; absent at the end of the part. */
  next?: unknown;
  /** The number of verified rows. A long row counts as several. */
  rows: number;
}

export const emptyDamage = (): Damage => ({ documents: new Map(), broken: new Set() });

export function addDamagedDocuments(
  damage: Damage,
  what: string,
  documents: Iterable<number>,
): void {
  for (const id of documents) {
    const known = damage.documents.get(what);
    if (known) known.add(id);
    else damage.documents.set(what, new Set([id]));
  }
}

export const damagedDocuments = ({ documents }: Damage): Set<number> =>
  new Set([...documents.values()].flatMap((ids) => [...ids]));

/** Short descriptions for people. */
export const describeDamage = ({ documents, broken }: Damage): string[] => [
  ...broken,
  ...[...documents].map(([what, { size }]) => `the ${what} of ${pluralise(size, "document")}`),
];

/** A range of document ids: above `after`, up to and including `upTo`. */
export interface DocumentRange {
  after: number;
  upTo: number;
}

/** The last range has no upper bound, so it also covers ids without a document. */
export function nextDocumentRange(
  db: Database,
  position: unknown,
  size: number,
): { range: DocumentRange; next?: number } {
  const after = typeof position === "number" ? position : Number.MIN_SAFE_INTEGER;
  const { count = 0, last = 0 } =
    db.get<{ count: number; last: number }>(
      `SELECT count(*) AS count, max(id) AS last
         FROM (SELECT id FROM main.documents WHERE id > ? ORDER BY id LIMIT ?)`,
      after,
      size,
    ) ?? {};
  if (count < size) return { range: { after, upTo: Number.MAX_SAFE_INTEGER } };
  return { range: { after, upTo: last }, next: last };
}

/**
 * Documents without a row in one of these tables, and rows without a document. Includes the
 * documents that this process does not show.
 */
export const documentsWithMismatchedRows = (
  db: Database,
  tables: readonly string[],
  { after, upTo }: DocumentRange,
): number[] =>
  tables.flatMap((table) =>
    db
      .all<{ id: number }>(
        `SELECT id FROM main.documents AS documents WHERE id > ?1 AND id <= ?2
            AND NOT EXISTS (SELECT 1 FROM ${table} WHERE document = documents.id)
         UNION
         SELECT document FROM ${table} AS held WHERE document > ?1 AND document <= ?2
            AND NOT EXISTS (SELECT 1 FROM main.documents WHERE id = held.document)`,
        after,
        upTo,
      )
      .map(({ id }) => id),
  );

/** The documents with a row whose vector is missing. */
export const documentsWithoutVectors = (
  db: Database,
  table: string,
  { after, upTo }: DocumentRange,
): number[] =>
  db
    .all<{ document: number }>(
      `SELECT DISTINCT document FROM ${table} AS held WHERE document > ? AND document <= ?
          AND NOT EXISTS (SELECT 1 FROM kept_vectors WHERE id = held.vector)`,
      after,
      upTo,
    )
    .map(({ document }) => document);
