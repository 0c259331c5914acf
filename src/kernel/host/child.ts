/**
 * The process of a host. Its first thread only passes messages on: the work is done in a second one,
 * so that a file which blocks it hinders neither the end of this process nor the watch over its
 * memory. SQLite's own limit of its heap has no effect in the drivers that we use.
 */
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FromHost, ToHost } from "./message.ts";
import type { OutOfMemory } from "./process.ts";

const maxHeapMb = 1_024;
const maxMemory = 1_536 * 1024 * 1024;

/** The worker's file lies beside this one. */
const workerFile = join(dirname(process.argv[1] ?? ""), "host-worker.js");

// A thread inside SQLite cannot be ended, and an ordinary exit would wait for it.
const end = (): void => void process.kill(process.pid, "SIGKILL");

process.on("disconnect", end);
// Ctrl+C reaches every process of a terminal; this one ends when the server does.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);

process.once("message", (job) => {
  const thread = new Worker(workerFile, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  /** Requests that have no answer yet; the memory is watched while there are any. */
  const open = new Set<number>();
  let watch: NodeJS.Timeout | undefined;

  function giveUp(): void {
    clearInterval(watch);
    process.send?.({ kind: "out-of-memory" } satisfies OutOfMemory, end);
  }

  thread.on("message", (message: FromHost) => {
    if (message.kind === "answer" || message.kind === "error") open.delete(message.id);
    if (open.size === 0) {
      clearInterval(watch);
      watch = undefined;
    }
    process.send?.(message);
  });
  thread.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY" ? giveUp() : end(),
  );
  process.on("message", (message: ToHost) => {
    if (message.kind === "request") {
      open.add(message.id);
      watch ??= setInterval(() => {
        if (process.memoryUsage.rss() > maxMemory) giveUp();
      }, 20);
    }
    thread.postMessage(message);
  });
});
