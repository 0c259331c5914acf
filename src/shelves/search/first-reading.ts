import type { Call } from "../../kernel/call.ts";
import type { SearchState } from "./state.ts";

/**
 * Waits while collections are read for the first time, and gives those that are not whole even
 * then. Who types at the page sees what there is at once, and how far the reading has come.
 */
export function firstReading(
  state: SearchState,
  { actor, signal }: Call,
  collections: readonly string[] = Object.keys(state.config.read().collections),
): Promise<string[]> {
  const isTyping = actor.surface === "web";
  return state.waitForFirstReading(collections, { signal, ...(isTyping && { limitMs: 0 }) });
}
