import { Failure } from "./failure.ts";

/**
 * Work of many clients on a few lanes. Clients take turns, and each of them has one job at work, so
 * whoever asks for much delays only themselves; a second lane is left to others.
 */
export interface FairQueue {
  /**
   * Runs a job on a free lane when it is its client's turn. Where the signal is aborted before that,
   * the job leaves the queue at once; afterwards the job has to heed it.
   */
  run<Result>(
    client: string,
    work: (lane: number) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Jobs that have not begun. */
  readonly waiting: number;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

export interface FairQueueOptions {
  lanes: number;
  /** What is queued, in the plural, for those who are refused: "SQL statements". */
  what: string;
  maxWaitingPerClient?: number;
  maxWaiting?: number;
}

interface Job {
  begin(lane: number): Promise<unknown>;
}

export function makeFairQueue(options: FairQueueOptions): FairQueue {
  const { lanes, what, maxWaitingPerClient = 16, maxWaiting = 256 } = options;
  /** Whose turn is next stands first. */
  const queues = new Map<string, Job[]>();
  const active = new Set<string>();
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  const idlers: (() => void)[] = [];
  let waiting = 0;

  function next(): void {
    while (free.length > 0) {
      const client = [...queues.keys()].find((name) => !active.has(name));
      const job = client === undefined ? undefined : queues.get(client)?.shift();
      const lane = free[0];
      if (client === undefined || !job || lane === undefined) break;
      waiting--;
      free.shift();
      active.add(client);
      // How the job ends is told to whoever asked for it.
      void job.begin(lane).finally(() => {
        active.delete(client);
        moveBack(client);
        free.push(lane);
        // The lane that was used first is used again first: it holds what its work needs.
        free.sort((a, b) => a - b);
        next();
      });
    }
    if (free.length === lanes && waiting === 0) for (const wake of idlers.splice(0)) wake();
  }

  /** Whoever has just been served stands behind all others. */
  function moveBack(client: string): void {
    const queue = queues.get(client) ?? [];
    queues.delete(client);
    if (queue.length > 0) queues.set(client, queue);
  }

  function leave(client: string, job: Job): boolean {
    const queue = queues.get(client) ?? [];
    const place = queue.indexOf(job);
    if (place < 0) return false;
    queue.splice(place, 1);
    if (queue.length === 0) queues.delete(client);
    waiting--;
    return true;
  }

  return {
    async run<Result>(
      client: string,
      work: (lane: number) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result> {
      signal?.throwIfAborted();
      const queue = queues.get(client) ?? [];
      if (queue.length >= maxWaitingPerClient || waiting >= maxWaiting) throw tooMany(what);
      return new Promise<Result>((resolve, reject) => {
        const job: Job = {
          begin(lane) {
            signal?.removeEventListener("abort", abort);
            return work(lane).then(resolve, reject);
          },
        };
        const abort = (): void => {
          if (leave(client, job)) reject(signal?.reason);
        };
        signal?.addEventListener("abort", abort, { once: true });
        queue.push(job);
        queues.set(client, queue);
        waiting++;
        next();
      });
    },
    get waiting() {
      return waiting;
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        next();
      }),
  };
}

const tooMany = (what: string): Failure =>
  new Failure("unavailable", "too-many-waiting", `Too many ${what} are waiting already.`, {
    hints: ["Wait for the answers to some of them, then try again."],
  });
