import { setMaxListeners } from "node:events";

/** A signal to stop work by, for as long as the work goes on. */
export interface Stop {
  readonly signal: AbortSignal;
  /** To be called when the work has ended: until its time is over a clock holds on to all of it. */
  release(): void;
}

/**
 * Stops work after a time, or when one of the others says so. Node's own ways to join signals and
 * to make them from a clock hold on to each other weakly: while memory is short the clock is swept
 * away before it has struck. Here the clock holds the signal.
 */
export function openStop(others: readonly AbortSignal[], timeLimit: number | undefined): Stop {
  const controller = new AbortController();
  // One call may have much work under way, and each piece of it listens.
  setMaxListeners(0, ...others);
  const leaves = others.map((other) => {
    const stop = (): void => controller.abort(other.reason);
    if (other.aborted) stop();
    other.addEventListener("abort", stop, { once: true });
    return () => other.removeEventListener("abort", stop);
  });
  const clock = timeLimit
    ? setTimeout(() => controller.abort(timeIsOver()), timeLimit).unref()
    : undefined;
  return {
    signal: controller.signal,
    release() {
      clearTimeout(clock);
      for (const leave of leaves) leave();
    },
  };
}

const timeIsOver = (): DOMException =>
  new DOMException("The time for this work is over.", "TimeoutError");
