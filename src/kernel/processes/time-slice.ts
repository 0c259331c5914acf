import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** How long a task may run before it yields to timers and other work. */
const timeSliceMs = 40;

/**
 * Cooperative scheduling of a long task: `isOver` is cheap, so it can be called often; `pass`
 * yields to the event loop.
 */
export function openTimeSlice() {
  let start = performance.now();
  return {
    isOver: (): boolean => performance.now() - start > timeSliceMs,
    async pass(): Promise<void> {
      await yieldToEventLoop();
      start = performance.now();
    },
  };
}
