/**
 * The process of a host. Its main thread only relays messages; a worker thread does the work, so a
 * file that blocks the worker cannot prevent the process from exiting or from checking its memory.
 * SQLite's own heap limit has no effect in the drivers that are used.
 */
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { exitImmediately, onParentExit } from "../processes/parent-exit.ts";
import type { OutOfMemory } from "./host-process.ts";
import type { FromHost, ToHost } from "./messages.ts";

const maxHeapMb = 1_024;
const maxMemory = 1_536 * 1024 * 1024;

/** The worker's file is beside this one. */
const workerFile = join(dirname(process.argv[1] ?? ""), "host-worker.js");

// A thread inside SQLite cannot be terminated, and a normal exit would wait for it.
onParentExit(exitImmediately);
// Ctrl+C signals every process of a terminal; this one exits when the server does.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);

process.once("message", (job) => {
  const thread = new Worker(workerFile, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  /** Pending requests; memory is checked while there are any. */
  const pending = new Set<number>();
  let watch: NodeJS.Timeout | undefined;

  function reportOutOfMemory(): void {
    clearInterval(watch);
    process.send?.({ kind: "out-of-memory" } satisfies OutOfMemory, exitImmediately);
  }

  thread.on("message", (message: FromHost) => {
    if (message.kind === "answer" || message.kind === "error") pending.delete(message.id);
    if (pending.size === 0) {
      clearInterval(watch);
      watch = undefined;
    }
    process.send?.(message);
  });
  thread.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY" ? reportOutOfMemory() : exitImmediately(),
  );
  process.on("message", (message: ToHost) => {
    if (message.kind === "request") {
      pending.add(message.id);
      watch ??= setInterval(() => {
        if (process.memoryUsage.rss() > maxMemory) reportOutOfMemory();
      }, 20);
    }
    thread.postMessage(message);
  });
});
