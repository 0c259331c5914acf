/**
 * Runs one job at a time in each lane. Urgent jobs run first. The first lane runs all jobs; the others
 * run parallel jobs, and only while there are at least two of the same urgency, so that a single job
 * starts no process.
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
  const urgent: JobList = { serial: [], parallel: [], runningParallel: 0 };
  const background: JobList = { serial: [], parallel: [], runningParallel: 0 };
  const idle = new Set(Array.from({ length: lanes }, (_, lane) => lane));

  function startIdleLanes(): void {
    for (const lane of [...idle].sort((a, b) => a - b)) {
      void (startNext(lane, urgent) ?? startNext(lane, background));
    }
  }

  function startNext(lane: number, list: JobList): Promise<void> | undefined {
    const { serial, parallel } = list;
    const serialJob = lane === 0 ? serial.shift() : undefined;
    if (serialJob) return runIn(lane, serialJob);
    if (lane > 0 && parallel.length + list.runningParallel < 2) return undefined;
    const job = parallel.shift();
    if (!job) return undefined;
    list.runningParallel++;
    return runIn(lane, job, () => list.runningParallel--);
  }

  async function runIn(lane: number, job: Job, onEnd = () => {}): Promise<void> {
    idle.delete(lane);
    const settle = await job(lane);
    onEnd();
    idle.add(lane);
    // The lane is free before the caller can send its next job.
    settle();
    startIdleLanes();
  }

  return {
    run(work, { isUrgent, isParallel, signal }) {
      const jobs = (isUrgent ? urgent : background)[isParallel ? "parallel" : "serial"];
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

/** The waiting jobs of one urgency. */
interface JobList {
  /** These run in the first lane, before the parallel jobs. */
  serial: Job[];
  parallel: Job[];
  runningParallel: number;
}

/** Returns a function that settles the caller's promise. Never rejects. */
type Job = (lane: number) => Promise<() => void>;
