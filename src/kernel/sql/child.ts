/**
 * The child process that runs untrusted SQL. Statements run in a worker thread, so that an endless
 * one blocks neither the memory check nor the shutdown of this process.
 */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Failure } from "../failure.ts";
import { exitImmediately, onParentExit } from "../processes/parent-exit.ts";
import { executeQuery } from "./execute-query.ts";
import type {
  LoadJob,
  QueryJob,
  SqlFinalMessage,
  SqlJob,
  SqlMessage,
  SqlOutcome,
  SqlThreadMessage,
} from "./job.ts";
import { type LoadedDataset, openLoadedDataset } from "./loaded-dataset.ts";
import { errorMessage, serializeFailure } from "./sql-errors.ts";

const megabyte = 1024 * 1024;
/** Memory limit of a statement, in addition to that of the loaded tables. */
const maxMemoryMb = 512;
/** A process whose memory grew by more than this is replaced, because it rarely frees memory. */
const replaceAboveMb = 256;

if (isMainThread) runMainThread();
else runWorkerThread();

function runMainThread(): void {
  // Both threads run this file.
  const thread = new Worker(process.argv[1] ?? "", {
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  /** Memory used with the tables loaded and no statement running. */
  let baselineMemory = process.memoryUsage.rss();
  /** Checks the memory while a statement runs. */
  let memoryTimer: NodeJS.Timeout | undefined;
  const memoryGrowthMb = () => (process.memoryUsage.rss() - baselineMemory) / megabyte;

  function send(message: SqlThreadMessage): void {
    if ("page" in message) return void process.send?.(message satisfies SqlMessage);
    clearInterval(memoryTimer);
    if ("loaded" in message) baselineMemory = process.memoryUsage.rss();
    const shouldReplace = memoryGrowthMb() > replaceAboveMb;
    process.send?.({ ...message, shouldReplace } satisfies SqlFinalMessage);
  }

  // A thread inside SQLite cannot be terminated, and a normal exit would wait for it.
  onParentExit(exitImmediately);
  thread.on("message", send);
  thread.on("error", () => send({ isOutOfMemory: true }));
  process.on("message", (job: SqlJob) => {
    if (job.type === "query") {
      memoryTimer = setInterval(() => {
        if (memoryGrowthMb() > maxMemoryMb) send({ isOutOfMemory: true });
      }, 20);
    }
    thread.postMessage(job);
  });
}

function runWorkerThread(): void {
  const datasets = new Map<string, LoadedDataset>();
  const send = (message: SqlThreadMessage) => parentPort?.postMessage(message);

  function load(job: LoadJob): SqlOutcome {
    for (const name of job.evicted) evict(name);
    try {
      if (job.shape) {
        evict(job.dataset);
        datasets.set(job.dataset, openLoadedDataset(job.shape));
      }
      datasets.get(job.dataset)?.applyChanges(job);
      return { loaded: true };
    } catch (error) {
      evict(job.dataset);
      // Any other error is a bug of the shelf that describes the data set, not of the statement.
      return error instanceof Failure
        ? { refusal: serializeFailure(error) }
        : { problem: errorMessage(error) };
    }
  }

  function evict(name: string): void {
    datasets.get(name)?.close();
    datasets.delete(name);
  }

  function run(job: QueryJob): SqlOutcome {
    const dataset = datasets.get(job.dataset);
    if (!dataset) return { problem: `The data set ${job.dataset} was not loaded.` };
    try {
      return executeQuery(dataset.prepare(job.sql), job, (page) => send({ page }));
    } catch (error) {
      return { refusal: serializeFailure(error) };
    }
  }

  parentPort?.on("message", (job: SqlJob) => send(job.type === "query" ? run(job) : load(job)));
}
