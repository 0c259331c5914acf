/**
 * The process that runs SQL of strangers. Its first thread only listens: a statement that never ends
 * keeps a second one busy, and hinders neither the end of this process nor the watch over its memory.
 */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Failure } from "../failure.ts";
import type { LoadJob, QueryJob, SqlJob, SqlOutcome } from "./job.ts";
import { type LoadedSet, openSet } from "./loaded-set.ts";
import { messageOf, refusalOf } from "./refusal.ts";
import type { SqlPage } from "./set.ts";
import { stepThrough } from "./stepping.ts";

const megabyte = 1024 * 1024;
/** What a statement may take beyond the tables. */
const mostMemoryMb = 512;
/** A process that keeps this much is replaced: what it once took it hardly gives back. */
const muchMemoryMb = 256;

if (isMainThread) listen();
else work();

function listen(): void {
  // Both threads run this file.
  const thread = new Worker(process.argv[1] ?? "", {
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  });
  /** What the tables take. */
  let calm = process.memoryUsage.rss();
  /** Runs while a statement does. */
  let watch: NodeJS.Timeout | undefined;
  const grown = () => (process.memoryUsage.rss() - calm) / megabyte;

  function tell(message: SqlOutcome | { page: SqlPage }): void {
    if ("page" in message) return void process.send?.(message);
    clearInterval(watch);
    if ("loaded" in message) calm = process.memoryUsage.rss();
    process.send?.({ ...message, isSpent: grown() > muchMemoryMb });
  }

  // A thread inside SQLite cannot be ended, and an ordinary exit would wait for it.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  thread.on("message", tell);
  thread.on("error", () => tell({ isFull: true }));
  process.on("message", (job: SqlJob) => {
    if (job.deed === "query") {
      watch = setInterval(() => {
        if (grown() > mostMemoryMb) tell({ isFull: true });
      }, 20);
    }
    thread.postMessage(job);
  });
}

function work(): void {
  const sets = new Map<string, LoadedSet>();

  function load(job: LoadJob): SqlOutcome {
    for (const name of job.forgotten) forget(name);
    try {
      if (job.shape) {
        forget(job.set);
        sets.set(job.set, openSet(job.shape));
      }
      sets.get(job.set)?.change(job);
      return { loaded: true };
    } catch (error) {
      forget(job.set);
      // Anything else is a mistake of the lender, not of whoever asks.
      return error instanceof Failure
        ? { refusal: refusalOf(error) }
        : { problem: messageOf(error) };
    }
  }

  function forget(name: string): void {
    sets.get(name)?.close();
    sets.delete(name);
  }

  function run(job: QueryJob): SqlOutcome {
    const set = sets.get(job.set);
    if (!set) return { problem: `The set ${job.set} was not loaded.` };
    try {
      const give = (page: SqlPage) => parentPort?.postMessage({ page });
      return stepThrough(set.prepare(job.sql), job, give);
    } catch (error) {
      return { refusal: refusalOf(error) };
    }
  }

  parentPort?.on("message", (job: SqlJob) =>
    parentPort?.postMessage(job.deed === "query" ? run(job) : load(job)),
  );
}
