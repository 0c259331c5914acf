import { setMaxListeners } from "node:events";

/** An abort signal for a limited piece of work. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** Must be called when the work has ended; otherwise the timer keeps the work in memory. */
  release(): void;
}

/**
 * A signal that aborts after a time limit or with any of the given signals. `AbortSignal.any` and
 * `AbortSignal.timeout` hold each other weakly: under memory pressure the timeout can be collected
 * before it fires. Here the timer keeps a strong reference to the controller.
 */
export function openStopSignal(
  sources: readonly AbortSignal[],
  timeLimit: number | undefined,
): StopSignal {
  const controller = new AbortController();
  // Each part of a call's work adds a listener; do not warn about their number.
  setMaxListeners(0, ...sources);
  const unsubscribers = sources.map((source) => {
    const stop = (): void => controller.abort(source.reason);
    if (source.aborted) stop();
    source.addEventListener("abort", stop, { once: true });
    return () => source.removeEventListener("abort", stop);
  });
  const timer = timeLimit
    ? setTimeout(() => controller.abort(timeoutError()), timeLimit).unref()
    : undefined;
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const unsubscribe of unsubscribers) unsubscribe();
    },
  };
}

const timeoutError = (): DOMException =>
  new DOMException("The time limit was exceeded.", "TimeoutError");
