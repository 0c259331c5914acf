import type { Call } from "../../kernel/call.ts";
import { Failure } from "../../kernel/failure.ts";
import type { SearchState } from "./state.ts";

/**
 * Waits while collections are read for the first time, and gives those that are not whole even
 * then. A page shows what there is, and how far the reading has come, so it is not kept waiting.
 */
export async function firstReading(
  state: SearchState,
  { actor, signal }: Call,
  collections: readonly string[] = Object.keys(state.config.read().collections),
): Promise<string[]> {
  const isPage = actor.surface === "web";
  const unread = await state.waitForFirstReading(collections, {
    signal,
    ...(isPage && { limitMs: 0 }),
  });
  signal.throwIfAborted();
  return unread;
}

/** What is not found in a collection that is only being read may be there all the same. */
export const notYet = (unread: readonly string[]): Failure =>
  new Failure("unavailable", "not-yet", `Nothing was found so far. ${stillRead(unread)}`, {
    hints: ["Ask again in a moment."],
  });

export const stillRead = (collections: readonly string[]): string =>
  `Still being read for the first time: ${collections.join(", ")}.`;
