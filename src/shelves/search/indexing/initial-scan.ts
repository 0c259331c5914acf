import type { Call } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import type { SearchState } from "../state.ts";

/**
 * Waits for the initial scan of collections and returns those still incomplete at the time limit.
 * Calls from the web app do not wait: it shows partial results and the progress of the scan.
 */
export async function waitForInitialScan(
  state: SearchState,
  { actor, signal }: Call,
  collections: readonly string[] = Object.keys(state.config.read().collections),
): Promise<string[]> {
  const isPage = actor.surface === "web";
  const unscanned = await state.waitForInitialScan(collections, {
    signal,
    ...(isPage && { limitMs: 0 }),
  });
  signal.throwIfAborted();
  return unscanned;
}

/** For a search without results in a collection that is not completely indexed yet. */
export const notYetScanned = (unscanned: readonly string[]): Failure =>
  new Failure(
    "unavailable",
    "not-yet",
    `Nothing was found so far. ${initialScanMessage(unscanned)}`,
    {
      hints: ["Try again in a moment."],
    },
  );

export const initialScanMessage = (collections: readonly string[]): string =>
  `Still being indexed for the first time: ${collections.join(", ")}.`;
