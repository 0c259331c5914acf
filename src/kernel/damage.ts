import { counted } from "../text/counted.ts";
import type { Database } from "./database.ts";

/** What a verification found that is not as it was written. */
export interface Damage {
  /** Documents that must be read again, by what is damaged of them. */
  readonly documents: Map<string, Set<number>>;
  /** Damage that no document can be named for: nothing of its owner's derived tables can be trusted. */
  readonly broken: Set<string>;
}

/** The failure of a search that met damage. */
export const indexDamagedCode = "index-damaged";

/** A part of the store that is verified step by step. */
export interface VerifiedPart {
  readonly name: string;
  /**
   * Verifies some rows after a position, at most a millisecond or two of work, and adds what is
   * damaged. The position is a JSON value of the part's own; it may come from another process.
   */
  verify(db: Database, after: unknown, damage: Damage): VerifiedStep;
}

export interface VerifiedStep {
  /** Where the next step begins; absent at the end of the part. */
  next?: unknown;
  /** How many rows were compared. A long row counts as several. */
  rows: number;
}

export const noDamage = (): Damage => ({ documents: new Map(), broken: new Set() });

export function addDamaged(damage: Damage, what: string, documents: Iterable<number>): void {
  for (const id of documents) {
    const known = damage.documents.get(what);
    if (known) known.add(id);
    else damage.documents.set(what, new Set([id]));
  }
}

export const damagedDocuments = ({ documents }: Damage): Set<number> =>
  new Set([...documents.values()].flatMap((ids) => [...ids]));

/** For people, in a few words each. */
export const findingsOf = ({ documents, broken }: Damage): string[] => [
  ...broken,
  ...[...documents].map(([what, { size }]) => `the ${what} of ${counted(size, "document")}`),
];

/** Documents by their numbers: those above `after`, up to and including `upTo`. */
export interface DocumentRange {
  after: number;
  upTo: number;
}

/** Covers every number in the end, also those that no document has. */
export function documentRange(
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
 * Documents that lack a row in one of these tables, and rows of no document. All documents count,
 * whatever this process may show.
 */
export const documentsOutOfStep = (
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

/** The documents that have a row in a table whose vector is gone. */
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
