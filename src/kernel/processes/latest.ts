/**
 * Runs work that reads the latest state. Calls during a run share the next one, because the current one
 * may have read before they were made.
 */
export function createLatest<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  let isRunning = false;
  const start = (): Promise<Result> => {
    next = undefined;
    isRunning = true;
    const result = work().finally(() => {
      isRunning = false;
    });
    running = result.catch(() => undefined);
    return result;
  };
  return () => {
    if (!isRunning && !next) return start();
    next ??= running.then(start);
    return next;
  };
}
