import type { ConversionCache } from "../documents/conversion-cache.ts";
import type { Indexer } from "../indexing/indexer.ts";
import type { Log } from "../runtime/log.ts";
import type { AnyShelf } from "../shelf.ts";
import type { Database } from "../storage/database.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import { restoreAllChecksummed } from "./checksummed-rows.ts";
import { damagedDocuments } from "./damage.ts";
import {
  clearSuspicion,
  isDamageSuspected,
  markDamageSuspected,
  runYielding,
  verifySlice,
  verifyStore,
} from "./verification.ts";

export interface RepairOptions {
  db: Database;
  shelves: readonly AnyShelf[];
  stateOf(shelf: AnyShelf): unknown;
  indexer: Indexer;
  conversionCache: ConversionCache;
  log: Log;
}

/**
 * Repairs derived data: deletes damaged rows and marks their documents as outdated, so that they
 * are indexed again. Each call verifies a part of the store, or all of it if damage is known or
 * suspected.
 */
export async function repairDerived(
  parts: RepairOptions,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<readonly string[]> {
  const { db, shelves, stateOf, indexer, conversionCache, log } = parts;
  await db.waitUntilWritable();
  const stale = db.all<{ shelf: string }>("SELECT shelf FROM stale_shelves");
  const isSuspected = stale.length > 0 || isDamageSuspected(db);
  if (!isWhole && !isSuspected) {
    if (verifySlice(db, shelves).findings.length === 0) return [];
    // Cleared when the repair is complete, in case this process is killed before that.
    markDamageSuspected(db);
  }
  const found = await runYielding(verifyStore(db, shelves));
  const staleShelves = shelves.filter(({ name }) => stale.some(({ shelf }) => shelf === name));
  const findings = [
    ...found.findings,
    ...staleShelves.map(({ name }) => `outdated tables of '${name}'`),
  ];
  if (findings.length === 0 && !isSuspected) return [];
  await db.waitUntilWritable();
  db.transaction(() => {
    restoreAllChecksummed(db);
    runSteps(db, conversionCache.dropDamaged());
    for (const [shelf, damage] of found.shelves) {
      const documents = damagedDocuments(damage);
      shelf.forgetDamaged?.(stateOf(shelf), { documents, isBroken: damage.broken.size > 0 });
    }
    const isAll =
      staleShelves.length > 0 || [...found.shelves.values()].some(({ broken }) => broken.size > 0);
    if (isAll) runSteps(db, indexer.markOutdated("all"));
    else if (found.documents.size > 0) runSteps(db, indexer.markOutdated(found.documents));
    db.run("DELETE FROM stale_shelves");
    clearSuspicion(db);
  });
  if (findings.length > 0) {
    log("warn", "the store was damaged; the damaged data is rebuilt", {
      damaged: findings.join(", "),
    });
  }
  return findings;
}
