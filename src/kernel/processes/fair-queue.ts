import { openStopSignal } from "../calls/stop-signal.ts";
import { Failure } from "../failure.ts";

/**
 * Schedules the jobs of many clients fairly on a few slots: round-robin over the senders, and over
 * the connections of each sender, so a client with many jobs mostly delays itself. A connection runs
 * one job at a time.
 *
 * One slot is reserved for short jobs. The duration of a job is not known in advance, so every job
 * counts as short until its time slice ends. After that it is long: it continues if few long jobs are
 * running; otherwise it is stopped and run again when one of them has ended. For example, sixteen
 * endless jobs delay a short job of another sender by one time slice, and a short job of the same
 * sender by sixteen.
 */
export interface FairQueue {
  /**
   * Runs a job when it is its client's turn. If the signal is aborted before that, the job leaves
   * the queue immediately; a running job must respond to the signal of its turn.
   */
  run<Result>(
    client: QueueClient,
    work: (turn: JobTurn) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Jobs that have not started or must be run again. */
  readonly waiting: number;
  /** Resolves when no job is running or waiting. */
  idle(): Promise<void>;
}

/** The client of a job, identified as in `Call`. */
export interface QueueClient {
  readonly sender: string;
  readonly peer: string;
}

export interface JobTurn {
  readonly slot: number;
  /** Aborted when the caller cancels, or when the job will be run again. */
  readonly signal: AbortSignal;
  /**
   * Starts the time slice. Only a job that can safely be run twice may call it; any other job keeps
   * its slot to the end.
   */
  startSlice(): void;
}

export interface FairQueueOptions {
  slots: number;
  /** The plural name of the jobs, for the error message: "SQL statements". */
  what: string;
  /** Length of the time slice. */
  sliceMs?: number;
  maxWaitingPerClient?: number;
  maxWaiting?: number;
}

interface Job extends QueueClient {
  isLong: boolean;
  begin(slot: number): Promise<void>;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { slots, what, sliceMs = 250, maxWaitingPerClient = 16, maxWaiting = 256 } = options;
  /** Waiting jobs by sender and connection. The next one to run is first, in both maps. */
  const senders = new Map<string, Map<string, Job[]>>();
  const active = new Set<string>();
  /** Long jobs that are running. */
  const longJobs = new Set<Job>();
  const maxLong = Math.max(slots - 1, 1);
  const freeSlots = Array.from({ length: slots }, (_, slot) => slot);
  const idleWaiters: (() => void)[] = [];
  let waiting = 0;

  function dispatch(): void {
    while (freeSlots.length > 0) {
      const job = nextJob();
      const slot = freeSlots[0];
      if (!job || slot === undefined) break;
      freeSlots.shift();
      dequeue(job);
      active.add(job.peer);
      if (job.isLong) longJobs.add(job);
      moveToBack(job);
      // `begin` reports the result of the job to its caller.
      void job.begin(slot).finally(() => {
        active.delete(job.peer);
        longJobs.delete(job);
        moveToBack(job);
        freeSlots.push(slot);
        // Prefer low slots, whose caches are warm.
        freeSlots.sort((a, b) => a - b);
        dispatch();
      });
    }
    if (freeSlots.length === slots && waiting === 0)
      for (const resolve of idleWaiters.splice(0)) resolve();
  }

  function nextJob(): Job | undefined {
    for (const peers of senders.values()) {
      for (const [job] of peers.values()) {
        if (!job || active.has(job.peer)) continue;
        if (!job.isLong || longJobs.size < maxLong) return job;
      }
    }
    return undefined;
  }

  const queueOf = ({ sender, peer }: QueueClient): Job[] => senders.get(sender)?.get(peer) ?? [];

  function setQueue({ sender, peer }: QueueClient, queue: Job[]): void {
    const peers = senders.get(sender) ?? new Map<string, Job[]>();
    if (queue.length > 0) peers.set(peer, queue);
    else peers.delete(peer);
    if (peers.size > 0) senders.set(sender, peers);
    else senders.delete(sender);
  }

  /** Moves a client behind all others, both when its job starts and when it ends. */
  function moveToBack({ sender, peer }: QueueClient): void {
    const peers = senders.get(sender);
    if (!peers) return;
    senders.delete(sender);
    senders.set(sender, peers);
    const queue = peers.get(peer);
    if (!queue) return;
    peers.delete(peer);
    peers.set(peer, queue);
  }

  function dequeue(job: Job): boolean {
    const queue = queueOf(job);
    if (!queue.includes(job)) return false;
    setQueue(
      job,
      queue.filter((waitingJob) => waitingJob !== job),
    );
    waiting--;
    return true;
  }

  /** A stopped job stays ahead of later jobs of its connection. */
  function enqueue(job: Job): void {
    const queue = queueOf(job);
    setQueue(job, job.isLong ? [job, ...queue] : [...queue, job]);
    waiting++;
  }

  return {
    run({ sender, peer }, work, signal) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const { length } = queueOf({ sender, peer });
        // A client without waiting jobs is always accepted, so that one sender cannot fill the
        // queue.
        const isFull = length >= maxWaitingPerClient || (length > 0 && waiting >= maxWaiting);
        if (isFull) throw queueFull(what);

        async function begin(slot: number): Promise<void> {
          const sliceOver = new AbortController();
          const stopSignal = openStopSignal(
            signal ? [sliceOver.signal, signal] : [sliceOver.signal],
            undefined,
          );
          let sliceTimer: NodeJS.Timeout | undefined;
          const startSlice = (): void => {
            if (!job.isLong) sliceTimer = setTimeout(endSlice, sliceMs);
          };
          const endSlice = (): void => {
            job.isLong = true;
            if (longJobs.size < maxLong) longJobs.add(job);
            else sliceOver.abort();
          };
          try {
            resolve(await work({ slot, signal: stopSignal.signal, startSlice }));
          } catch (error) {
            if (sliceOver.signal.aborted && !signal?.aborted) return enqueue(job);
            reject(signal?.aborted ? signal.reason : error);
          } finally {
            clearTimeout(sliceTimer);
            stopSignal.release();
          }
          signal?.removeEventListener("abort", giveUp);
        }
        const job: Job = { sender, peer, isLong: false, begin };
        const giveUp = (): void => {
          if (dequeue(job)) reject(signal?.reason);
        };
        signal?.addEventListener("abort", giveUp, { once: true });
        enqueue(job);
        dispatch();
      });
    },
    get waiting() {
      return waiting;
    },
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        dispatch();
      }),
  };
}

const queueFull = (what: string): Failure =>
  new Failure("unavailable", "too-many-waiting", `Too many ${what} are already waiting.`, {
    hints: ["Wait until some of them have finished, then try again."],
  });
