import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { repairConfig } from "../../kernel/config.ts";
import { Failure } from "../../kernel/failure.ts";
import { openLease } from "../../kernel/lease.ts";
import { filesOf } from "../../kernel/settings.ts";
import {
  examineStore,
  outdateDerived,
  putStoreAside,
  salvageAuthored,
} from "../../kernel/store-health.ts";
import type { CommandContext } from "./command.ts";

/** Mends what can be mended and gives a sentence for each thing it did. Nothing is deleted. */
export async function repairAll(context: CommandContext): Promise<string[]> {
  const { config, store } = filesOf(context.settings);
  const done: string[] = [];
  if (existsSync(config)) {
    const { setAside, restored } = repairConfig(config);
    if (setAside) done.push(`The damaged configuration is kept as ${setAside}; ${restored} holds.`);
  }
  if (!statSync(store, { throwIfNoEntry: false })?.isFile()) return done;
  const { damage, missing, stale } = examineStore(store);
  if (damage.length > 0) done.push(...(await replaceStore(store, context)));
  else if (missing.length + stale.length > 0) {
    outdateDerived(store);
    done.push(`The index was made anew from ${await fill(context)} documents.`);
  } else {
    const repaired = await context.library().house.repairDerived({ isWhole: true });
    if (repaired.length > 0) {
      done.push(`Repaired ${repaired.join("; ")}, from ${await fill(context)} documents.`);
    }
  }
  return done;
}

/** A process that has the old file open would go on writing into it, so none may be running. */
async function replaceStore(store: string, context: CommandContext): Promise<string[]> {
  const lease = openLease(filesOf(context.settings).lease);
  if (!lease.take()) {
    throw new Failure("conflict", "in-use", "The store is damaged and in use.", {
      hints: ["Stop the servers and agents that run on this home, and try again."],
    });
  }
  try {
    const aside = putStoreAside(store);
    const saved = salvageAuthored(aside, context.library().house.db);
    const documents = await fill(context);
    return [
      `The damaged store is kept as ${basename(aside)}; a new one holds ${documents} documents.`,
      ...(saved > 0 ? [`${saved} entries that exist nowhere else were carried over.`] : []),
    ];
  } finally {
    lease.close();
  }
}

/** Reads all collections into the index. */
async function fill(context: CommandContext): Promise<number> {
  const { intake, roots, documents } = context.library().house;
  await intake.scan(roots());
  return documents.count();
}
