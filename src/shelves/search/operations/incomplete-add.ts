import { forgetEntry } from "../../../kernel/approval/agent-entries.ts";
import type { Call } from "../../../kernel/call.ts";
import type { Root } from "../../../kernel/documents/documents.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import type { SearchState } from "../state.ts";

/** After Ctrl+C, the same command continues to index the collection. */
export function* isInterruptedAdd(
  { config, indexer }: SearchState,
  root: Root,
  { actor }: Call,
): Steps<boolean> {
  const existing = config.read().collections[root.name];
  const isSame =
    existing?.path === root.path &&
    existing.pattern === root.pattern &&
    JSON.stringify(existing.ignore) === JSON.stringify(root.ignore);
  return isSame && actor.surface === "cli" && (yield* indexer.unscanned([root])).length > 0;
}

/** Removes a collection whose initial scan failed, because all later scans would fail as well. */
export async function revertAdd(
  { config, indexer, changes, store, log }: SearchState,
  name: string,
  call: Call,
): Promise<void> {
  const reverting = transaction(function* () {
    yield* config.update(({ collections }) => {
      delete collections[name];
    });
    yield* forgetEntry("collection", name);
    yield* indexer.removeRoot(name);
    yield* changes.record({
      call,
      operation: "add_collection",
      summary: `Removed collection '${name}' because indexing failed`,
    });
  });
  try {
    await store.run(reverting);
    call.announce({ topic: "collections.changed" });
  } catch (cause) {
    // The removal may fail for the same reason. The caller gets the original error.
    log("error", "cannot remove a collection whose indexing failed", { name, cause });
  }
}
