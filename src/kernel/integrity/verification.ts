import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { tryParseJson } from "../../text/formats/json-value.ts";
import { conversionIntegrity } from "../documents/conversion-cache.ts";
import { documentIntegrity } from "../documents/document-rows.ts";
import type { AnyShelf } from "../shelf.ts";
import type { Database } from "../storage/database.ts";
import { derivedTables } from "../storage/migrations.ts";
import { checksummedRowIntegrity } from "./checksummed-rows.ts";
import {
  type Damage,
  damagedDocuments,
  describeDamage,
  emptyDamage,
  type IntegrityCheck,
} from "./damage.ts";

/** The damage of the store, or of the verified parts of it. */
export interface StoreDamage {
  documents: ReadonlySet<number>;
  shelves: ReadonlyMap<AnyShelf, Damage>;
  findings: readonly string[];
}

/**
 * One row: the position of the next slice, and whether damage is suspected that is not repaired
 * yet.
 */
export const verificationTables = derivedTables(
  1,
  `CREATE TABLE verification (part TEXT, position TEXT, suspected INTEGER NOT NULL);
   INSERT INTO verification VALUES (NULL, NULL, 0);`,
);

/**
 * The number of rows that `update` verifies if nothing is suspected: about five milliseconds of
 * work. It is a count and not a duration, so that a slow machine verifies as much as a fast one.
 */
const rowsPerSlice = 800;

interface OwnedCheck extends IntegrityCheck {
  shelf?: AnyShelf;
}

const integrityChecksOf = (shelves: readonly AnyShelf[]): OwnedCheck[] => [
  documentIntegrity,
  conversionIntegrity,
  checksummedRowIntegrity,
  ...shelves.flatMap((shelf) =>
    (shelf.integrityChecks ?? []).map(({ name, verify }) => ({
      name: `${shelf.name} ${name}`,
      verify,
      shelf,
    })),
  ),
];

/** Verifies the whole store. Yields to the event loop regularly. */
export function* verifyStore(
  db: Database,
  shelves: readonly AnyShelf[],
): Generator<void, StoreDamage> {
  const found = collectDamage();
  for (const part of integrityChecksOf(shelves)) {
    for (let after: unknown; ; ) {
      after = runStep(db, part, after, found).next;
      if (after === undefined) break;
      yield;
    }
  }
  return found.all();
}

/** Verifies the next rows and stores the position of the following slice. */
export function verifySlice(db: Database, shelves: readonly AnyShelf[]): StoreDamage {
  const found = collectDamage();
  const parts = integrityChecksOf(shelves);
  const before = readCursor(db);
  const first = Math.max(
    parts.findIndex(({ name }) => name === before.part),
    0,
  );
  // The first part is repeated at the end, for the rows before its position.
  const turns = [...parts.slice(first), ...parts.slice(0, first + 1)];
  let rows = 0;
  for (const [turn, part] of turns.entries()) {
    let after = turn === 0 && part.name === before.part ? before.position : undefined;
    if (turn === parts.length && before.position === undefined) break;
    do {
      if (rows >= rowsPerSlice) {
        saveCursor(db, { part: part.name, position: after });
        return found.all();
      }
      const step = runStep(db, part, after, found);
      rows += step.rows;
      after = step.next;
    } while (after !== undefined);
  }
  saveCursor(db, {});
  return found.all();
}

/** Makes the next `update` verify the whole store. To be called when damage was found. */
export function markDamageSuspected(db: Database): void {
  if (isDamageSuspected(db)) return;
  db.transaction(() => {
    db.run("DELETE FROM verification");
    db.run("INSERT INTO verification VALUES (NULL, NULL, 1)");
  });
}

/**
 * The same for a call that has already failed: its own error is reported, even if the mark cannot
 * be stored.
 */
export async function tryMarkDamageSuspected(db: Database): Promise<void> {
  try {
    await db.waitUntilWritable({ timeoutMs: 200 });
    markDamageSuspected(db);
  } catch {
    // The disk is read-only or full, or a writer hangs. The next search finds the damage again.
  }
}

/** An invalid mark counts as damage. */
export function isDamageSuspected(db: Database): boolean {
  const rows = db.all<{ suspected: unknown }>("SELECT suspected FROM verification");
  return rows.length !== 1 || rows[0]?.suspected !== 0;
}

/** To be called after the repair. */
export function clearSuspicion(db: Database): void {
  db.run("DELETE FROM verification");
  db.run("INSERT INTO verification VALUES (NULL, NULL, 0)");
}

interface SliceCursor {
  part?: string;
  position?: unknown;
}

function readCursor(db: Database): SliceCursor {
  const row = db.get<{ part: string | null; position: string | null }>(
    "SELECT part, position FROM verification",
  );
  if (typeof row?.part !== "string") return {};
  return {
    part: row.part,
    position: row.position === null ? undefined : tryParseJson(row.position),
  };
}

function saveCursor(db: Database, { part, position }: SliceCursor): void {
  const values = [part ?? null, position === undefined ? null : JSON.stringify(position)] as const;
  db.run(
    `UPDATE verification SET part = ?1, position = ?2
      WHERE part IS NOT ?1 OR position IS NOT ?2`,
    ...values,
  );
}

/** In one snapshot, because rows are compared with each other. */
const runStep = (
  db: Database,
  { verify, shelf }: OwnedCheck,
  after: unknown,
  { of }: ReturnType<typeof collectDamage>,
) => db.snapshot(() => verify(db, after, of(shelf)));

function collectDamage() {
  const own = emptyDamage();
  const byShelf = new Map<AnyShelf, Damage>();
  return {
    of(shelf: AnyShelf | undefined): Damage {
      if (!shelf) return own;
      const known = byShelf.get(shelf) ?? emptyDamage();
      byShelf.set(shelf, known);
      return known;
    },
    all(): StoreDamage {
      const damaged = [...byShelf].filter(([, damage]) => describeDamage(damage).length > 0);
      const all = [own, ...damaged.map(([, damage]) => damage)];
      return {
        documents: new Set(all.flatMap((damage) => [...damagedDocuments(damage)])),
        shelves: new Map(damaged),
        findings: all.flatMap(describeDamage),
      };
    },
  };
}

/** Runs a verification synchronously, for a process that does nothing else. */
export function runToEnd<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The same, yielding to the event loop after each step, for a process that serves clients. */
export async function runYielding<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await yieldToEventLoop();
  }
}
