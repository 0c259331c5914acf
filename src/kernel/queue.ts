/** Long work, strictly one job at a time, in the order it was asked for. */
export interface Queue {
  /**
   * Settles as the job does, so whoever asks also hears of its failure; the next job starts
   * either way. A job must not wait for another of the same queue.
   */
  run<Result>(what: string, work: () => Promise<Result> | Result): Promise<Result>;
  /** Jobs that have not begun. */
  readonly waiting: number;
  /** What the running job is called. */
  readonly current: string | undefined;
  /** Resolves when nothing runs and nothing waits, whatever was added meanwhile. */
  idle(): Promise<void>;
}

export function makeQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let current: string | undefined;
  return {
    run(what, work) {
      waiting++;
      const job = last.then(async () => {
        waiting--;
        current = what;
        try {
          return await work();
        } finally {
          current = undefined;
        }
      });
      last = job.catch(() => undefined);
      return job;
    },
    get waiting() {
      return waiting;
    },
    get current() {
      return current;
    },
    async idle() {
      for (let seen: Promise<unknown> | undefined; seen !== last; ) {
        seen = last;
        await seen;
      }
    },
  };
}
