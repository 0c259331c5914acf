/** Runs long jobs one at a time, in the order of their calls. */
export interface SerialQueue {
  /**
   * Settles as the job does, so the caller gets its error; the next job runs either way. A job must
   * not wait for another job of the same queue.
   */
  run<Result>(what: string, work: () => Promise<Result> | Result): Promise<Result>;
  /** Jobs that have not started. */
  readonly waiting: number;
  /** The name of the running job. */
  readonly current: string | undefined;
  /** Resolves when no job is running or waiting, including jobs added during the wait. */
  idle(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
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
      for (let awaited: Promise<unknown> | undefined; awaited !== last; ) {
        awaited = last;
        await awaited;
      }
    },
  };
}
