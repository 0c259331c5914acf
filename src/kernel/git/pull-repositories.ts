import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { openStopSignal } from "../calls/stop-signal.ts";
import type { Boundary } from "../paths/boundary.ts";
import { type PullResult, pullRepository } from "./git.ts";
import { findRepository } from "./git-location.ts";

interface PullOptions {
  /** Aborts all pulls. */
  signal: AbortSignal;
  /** Time limit of each pull, in milliseconds. */
  deadlineMs: number;
}

interface Pulled {
  name: string;
  result: PullResult;
}

/** Maximum number of concurrent pulls. */
const maxConcurrent = 8;

/** Running pulls of this process, by work tree. */
const running = new Map<string, Promise<unknown>>();

/**
 * Pulls the repositories of several folders concurrently. Each has its own deadline, so a stalled
 * pull delays neither the others nor the indexer. Pulls of the same repository run one after
 * another.
 */
export async function pullRepositories(
  folders: readonly { name: string; path: string }[],
  boundary: Pick<Boundary, "allowsFolder">,
  { signal, deadlineMs }: PullOptions,
): Promise<Pulled[]> {
  const pulled: Pulled[] = [];
  const pending = [...folders.entries()];
  const pullNext = async (): Promise<void> => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      const [index, { name, path }] = next;
      // Reading the files of a repository is synchronous.
      await yieldToEventLoop();
      const repository = findRepository(path, boundary);
      const key = repository && "workTree" in repository ? repository.workTree : path;
      const result = await runSerially(key, async () => {
        const deadline = openStopSignal([signal], deadlineMs);
        try {
          return await pullRepository(path, boundary, deadline.signal);
        } finally {
          deadline.release();
        }
      });
      pulled[index] = { name, result };
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, pullNext));
  return pulled;
}

async function runSerially<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = running.get(key) ?? Promise.resolve();
  const job = before.then(work);
  const ended = job.catch(() => undefined);
  running.set(key, ended);
  try {
    return await job;
  } finally {
    if (running.get(key) === ended) running.delete(key);
  }
}
