import type { Converted } from "./converted.ts";
import { damagedDocuments } from "./damage.ts";
import type { Database } from "./database.ts";
import type { Intake } from "./intake.ts";
import type { Log } from "./log.ts";
import { restoreSealed } from "./sealed-rows.ts";
import type { AnyShelf } from "./shelf.ts";
import {
  finishedInTurns,
  isDamageSuspected,
  suspectDamage,
  trustAgain,
  verifyDerived,
  verifySlice,
} from "./verification.ts";

interface RepairParts {
  db: Database;
  shelves: readonly AnyShelf[];
  stateOf(shelf: AnyShelf): unknown;
  intake: Intake;
  converted: Converted;
  log: Log;
}

/**
 * What is derived can always be derived again: damage is forgotten, and its documents are outdated.
 * Each call verifies a slice of the store, and everything where damage is known or suspected.
 */
export async function repairDerived(
  parts: RepairParts,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<readonly string[]> {
  const { db, shelves, stateOf, intake, converted, log } = parts;
  await db.writable();
  const stale = db.all<{ shelf: string }>("SELECT shelf FROM stale_shelves");
  const isSuspected = stale.length > 0 || isDamageSuspected(db);
  if (!isWhole && !isSuspected) {
    if (verifySlice(db, shelves).findings.length === 0) return [];
    // Kept until all is repaired, should this process be ended before.
    suspectDamage(db);
  }
  const found = await finishedInTurns(verifyDerived(db, shelves));
  const behind = shelves.filter(({ name }) => stale.some(({ shelf }) => shelf === name));
  const findings = [...found.findings, ...behind.map(({ name }) => `what '${name}' missed`)];
  if (findings.length === 0 && !isSuspected) return [];
  await db.writable();
  db.transaction(() => {
    restoreSealed(db);
    converted.dropDamaged();
    for (const [shelf, damage] of found.shelves) {
      const documents = damagedDocuments(damage);
      shelf.forgetDamaged?.(stateOf(shelf), { documents, isBroken: damage.broken.size > 0 });
    }
    const isAll =
      behind.length > 0 || [...found.shelves.values()].some(({ broken }) => broken.size > 0);
    if (isAll) intake.outdate("all");
    else if (found.documents.size > 0) intake.outdate(found.documents);
    db.run("DELETE FROM stale_shelves");
    trustAgain(db);
  });
  if (findings.length > 0) {
    log("warn", "the store was damaged and is repaired", { damaged: findings.join(", ") });
  }
  return findings;
}
