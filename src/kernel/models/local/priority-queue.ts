/**
 * Runs one job at a time in each lane. Urgent jobs run first, in lane 0. The other lanes run parallel
 * jobs, and only while there are at least two, so that a single background job starts no process.
 */
export interface PriorityQueue {
  /**
   * Settles like the job. Aborting rejects immediately: a waiting job is removed, a running one
   * continues.
   */
  run<Result>(work: (lane: number) => Promise<Result>, priority: JobPriority): Promise<Result>;
}

export interface JobPriority {
  isUrgent: boolean;
  /** Whether the job may run in any lane. */
  isParallel?: boolean;
  signal?: AbortSignal | undefined;
}

export function createPriorityQueue(lanes = 1): PriorityQueue {
  const urgent: Job[] = [];
  const background: Job[] = [];
  const parallel: Job[] = [];
  const idle = new Set(Array.from({ length: lanes }, (_, lane) => lane));
  let runningParallel = 0;

  function startIdleLanes(): void {
    for (const lane of [...idle].sort((a, b) => a - b)) void startNext(lane);
  }

  async function startNext(lane: number): Promise<void> {
    const own = lane === 0 ? (urgent.shift() ?? background.shift()) : undefined;
    const isNeeded = lane === 0 || parallel.length + runningParallel > 1;
    const job = own ?? (isNeeded ? parallel.shift() : undefined);
    if (!job) return;
    idle.delete(lane);
    if (!own) runningParallel++;
    const settle = await job(lane);
    if (!own) runningParallel--;
    idle.add(lane);
    // The lane is free before the caller can send its next job.
    settle();
    startIdleLanes();
  }

  return {
    run(work, { isUrgent, isParallel, signal }) {
      const jobs = isUrgent ? urgent : isParallel ? parallel : background;
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          const index = jobs.indexOf(job);
          if (index >= 0) jobs.splice(index, 1);
          reject(signal?.reason);
        };
        const job: Job = (lane) =>
          work(lane)
            .then(
              (result) => () => resolve(result),
              (error) => () => reject(error),
            )
            .finally(() => signal?.removeEventListener("abort", abort));
        signal?.addEventListener("abort", abort, { once: true });
        jobs.push(job);
        startIdleLanes();
      });
    },
  };
}

/** Returns a function that settles the caller's promise. Never rejects. */
type Job = (lane: number) => Promise<() => void>;
