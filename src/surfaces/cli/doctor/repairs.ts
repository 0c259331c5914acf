import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../../../kernel/failure.ts";
import { repairConfig } from "../../../kernel/home/config.ts";
import { openLease } from "../../../kernel/home/lease.ts";
import { homeFiles } from "../../../kernel/home/settings.ts";
import {
  checkStoreHealth,
  markDerivedOutdated,
  moveStoreAside,
  salvageAuthored,
} from "../../../kernel/integrity/store-health.ts";
import type { CommandContext } from "../command.ts";

/** Repairs what it can and returns a sentence for each repair. Nothing is deleted. */
export async function repairInstallation(context: CommandContext): Promise<string[]> {
  const { config, store } = homeFiles(context.settings);
  const done: string[] = [];
  if (existsSync(config)) {
    const { setAside, restored } = repairConfig(config);
    if (setAside)
      done.push(`The damaged configuration was saved as ${setAside}; ${restored} now applies.`);
  }
  if (!statSync(store, { throwIfNoEntry: false })?.isFile()) return done;
  const { damage, missing, stale } = checkStoreHealth(store);
  if (damage.length > 0) done.push(...(await replaceStore(store, context)));
  else if (missing.length + stale.length > 0) {
    markDerivedOutdated(store);
    done.push(`The index was rebuilt from ${await indexAllCollections(context)} documents.`);
  } else {
    const repaired = await context.openApp().runtime.repairDerived({ isWhole: true });
    if (repaired.length > 0) {
      done.push(
        `Repaired ${repaired.join("; ")}, from ${await indexAllCollections(context)} documents.`,
      );
    }
  }
  return done;
}

/** No other process may be running: it would keep writing to the old file. */
async function replaceStore(store: string, context: CommandContext): Promise<string[]> {
  const lease = openLease(homeFiles(context.settings).lease);
  if (!lease.tryAcquire()) {
    throw new Failure("conflict", "in-use", "The store is damaged and in use.", {
      hints: ["Stop the servers and agents that use this home, and try again."],
    });
  }
  try {
    const damagedStore = moveStoreAside(store);
    const saved = salvageAuthored(damagedStore, context.openApp().runtime.db);
    const documents = await indexAllCollections(context);
    return [
      `The damaged store was saved as ${basename(damagedStore)}; the new one has ${documents} documents.`,
      ...(saved > 0 ? [`${saved} entries that cannot be rebuilt were copied to it.`] : []),
    ];
  } finally {
    lease.close();
  }
}

/** Indexes all collections and returns the number of documents. */
async function indexAllCollections(context: CommandContext): Promise<number> {
  const { indexer, roots, documents, store } = context.openApp().runtime;
  await indexer.scan(roots());
  return await store.run(documents.count());
}
