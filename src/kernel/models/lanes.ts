/** Work that is done one job at a time; what somebody waits for goes before what can wait. */
export interface Lanes {
  /**
   * Settles as the job does. An aborted job that has not begun never will; one that has begun is
   * left alone, but whoever asked hears at once.
   */
  run<Result>(work: () => Promise<Result>, how: Urgency): Promise<Result>;
}

export interface Urgency {
  isUrgent: boolean;
  signal?: AbortSignal | undefined;
}

export function makeLanes(): Lanes {
  const urgent: Job[] = [];
  const patient: Job[] = [];
  let running = false;

  async function next(): Promise<void> {
    const job = urgent.shift() ?? patient.shift();
    if (!job) return;
    running = true;
    await job();
    running = false;
    void next();
  }

  return {
    run(work, { isUrgent, signal }) {
      const lane = isUrgent ? urgent : patient;
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          const place = lane.indexOf(job);
          if (place >= 0) lane.splice(place, 1);
          reject(signal?.reason);
        };
        const job: Job = () =>
          work()
            .then(resolve, reject)
            .finally(() => signal?.removeEventListener("abort", abort));
        signal?.addEventListener("abort", abort, { once: true });
        lane.push(job);
        if (!running) void next();
      });
    },
  };
}

/** It never fails: whoever asked for the work has been told. */
type Job = () => Promise<void>;
