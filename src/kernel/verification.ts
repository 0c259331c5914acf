import { setImmediate as breathe } from "node:timers/promises";
import { parsedJson } from "../text/json-value.ts";
import { verifiedConverted } from "./converted.ts";
import {
  type Damage,
  damagedDocuments,
  findingsOf,
  noDamage,
  type VerifiedPart,
} from "./damage.ts";
import type { Database } from "./database.ts";
import { verifiedDocuments } from "./document-rows.ts";
import { verifiedSeals } from "./sealed-rows.ts";
import type { AnyShelf } from "./shelf.ts";
import { derived } from "./tables.ts";

/** Of a store, or of those of its parts that were verified. */
export interface StoreDamage {
  documents: ReadonlySet<number>;
  shelves: ReadonlyMap<AnyShelf, Damage>;
  findings: readonly string[];
}

/** One row: where the next slice begins, and whether damage was met that is not repaired yet. */
export const verificationTables = derived(
  1,
  `CREATE TABLE verification (part TEXT, position TEXT, suspected INTEGER NOT NULL);
   INSERT INTO verification VALUES (NULL, NULL, 0);`,
);

/**
 * How many rows an `update` compares where nothing is suspected: some five milliseconds of work. It
 * is a number of rows and not a time, so that a slow machine verifies as much as a fast one.
 */
const rowsPerSlice = 800;

interface OwnedPart extends VerifiedPart {
  shelf?: AnyShelf;
}

const partsOf = (shelves: readonly AnyShelf[]): OwnedPart[] => [
  verifiedDocuments,
  verifiedConverted,
  verifiedSeals,
  ...shelves.flatMap((shelf) =>
    (shelf.verified ?? []).map(({ name, verify }) => ({
      name: `${shelf.name} ${name}`,
      verify,
      shelf,
    })),
  ),
];

/** Compares the whole store with its checksums. Yields now and then, so that others have a turn. */
export function* verifyDerived(
  db: Database,
  shelves: readonly AnyShelf[],
): Generator<void, StoreDamage> {
  const found = openFindings();
  for (const part of partsOf(shelves)) {
    for (let after: unknown; ; ) {
      after = stepOf(db, part, after, found).next;
      if (after === undefined) break;
      yield;
    }
  }
  return found.all();
}

/** Compares the next rows with their checksums, and remembers where the following slice begins. */
export function verifySlice(db: Database, shelves: readonly AnyShelf[]): StoreDamage {
  const found = openFindings();
  const parts = partsOf(shelves);
  const before = cursorOf(db);
  const first = Math.max(
    parts.findIndex(({ name }) => name === before.part),
    0,
  );
  // The part in which the slice begins comes last once more, for the rows before its position.
  const turns = [...parts.slice(first), ...parts.slice(0, first + 1)];
  let rows = 0;
  for (const [turn, part] of turns.entries()) {
    let after = turn === 0 && part.name === before.part ? before.position : undefined;
    if (turn === parts.length && before.position === undefined) break;
    do {
      if (rows >= rowsPerSlice) {
        keepCursor(db, { part: part.name, position: after });
        return found.all();
      }
      const step = stepOf(db, part, after, found);
      rows += step.rows;
      after = step.next;
    } while (after !== undefined);
  }
  keepCursor(db, {});
  return found.all();
}

/** Has the next `update` verify the whole store. Whoever meets damage calls it. */
export function suspectDamage(db: Database): void {
  if (isDamageSuspected(db)) return;
  db.transaction(() => {
    db.run("DELETE FROM verification");
    db.run("INSERT INTO verification VALUES (NULL, NULL, 1)");
  });
}

/** The same for a call that has failed already: its failure is told, whether or not it can be noted. */
export async function noteDamage(db: Database): Promise<void> {
  try {
    await db.writable({ patienceMs: 200 });
    suspectDamage(db);
  } catch {
    // The disk is read-only or full, or a writer hangs. The next search meets the same damage.
  }
}

/** A mark that cannot be read is itself damage. */
export function isDamageSuspected(db: Database): boolean {
  const rows = db.all<{ suspected: unknown }>("SELECT suspected FROM verification");
  return rows.length !== 1 || rows[0]?.suspected !== 0;
}

/** To be called when the damage is repaired. */
export function trustAgain(db: Database): void {
  db.run("DELETE FROM verification");
  db.run("INSERT INTO verification VALUES (NULL, NULL, 0)");
}

interface Cursor {
  part?: string;
  position?: unknown;
}

function cursorOf(db: Database): Cursor {
  const row = db.get<{ part: string | null; position: string | null }>(
    "SELECT part, position FROM verification",
  );
  if (typeof row?.part !== "string") return {};
  return { part: row.part, position: row.position === null ? undefined : parsedJson(row.position) };
}

function keepCursor(db: Database, { part, position }: Cursor): void {
  const values = [part ?? null, position === undefined ? null : JSON.stringify(position)] as const;
  db.run(
    `UPDATE verification SET part = ?1, position = ?2
      WHERE part IS NOT ?1 OR position IS NOT ?2`,
    ...values,
  );
}

/** Several rows are compared with one another, so no writer may come in between. */
const stepOf = (
  db: Database,
  { verify, shelf }: OwnedPart,
  after: unknown,
  { of }: ReturnType<typeof openFindings>,
) => db.snapshot(() => verify(db, after, of(shelf)));

function openFindings() {
  const own = noDamage();
  const byShelf = new Map<AnyShelf, Damage>();
  return {
    of(shelf: AnyShelf | undefined): Damage {
      if (!shelf) return own;
      const known = byShelf.get(shelf) ?? noDamage();
      byShelf.set(shelf, known);
      return known;
    },
    all(): StoreDamage {
      const damaged = [...byShelf].filter(([, damage]) => findingsOf(damage).length > 0);
      const all = [own, ...damaged.map(([, damage]) => damage)];
      return {
        documents: new Set(all.flatMap((damage) => [...damagedDocuments(damage)])),
        shelves: new Map(damaged),
        findings: all.flatMap(findingsOf),
      };
    },
  };
}

/** Runs a verification to its end without a pause, for a process that does nothing else. */
export function finished<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The same, with a pause at each step, for a process that serves others. */
export async function finishedInTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await breathe();
  }
}
