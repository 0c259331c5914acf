import { setImmediate as breathe } from "node:timers/promises";

/** So long may one turn of long work take: then the clock, and whoever else waits, get their chance. */
const turnMs = 40;

/** The turn that long work has; it is looked at often and passed on rarely. */
export function openTurn() {
  let began = performance.now();
  return {
    isOver: (): boolean => performance.now() - began > turnMs,
    async pass(): Promise<void> {
      await breathe();
      began = performance.now();
    },
  };
}
