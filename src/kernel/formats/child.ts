/**
 * The child process that converts files. Converters run in a worker thread, so that an endless loop
 * blocks neither the memory check nor the shutdown of this process.
 */

import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Failure } from "../failure.ts";
import { onParentExit } from "../processes/parent-exit.ts";
import type { ConversionJob, ConversionOutcome, ConversionReply } from "./converter.ts";

/** The heap limit does not cover unpacked streams, which are off-heap: `maxMemory` does. */
const maxHeapMb = 512;
const maxMemory = 900 * 1024 * 1024;

/** Above this the process is replaced after the file, because it rarely frees its memory. */
const replaceAboveMemory = 300 * 1024 * 1024;

/** Both threads run this file. */
const ownFile = process.argv[1] ?? "";

if (isMainThread) runMainThread();
else runWorkerThread();

function runMainThread(): void {
  let thread: Worker | undefined;
  /** Checks the memory while a file is converted. */
  let memoryTimer: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const started = new Worker(ownFile, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    started.on("message", (outcome: ConversionOutcome) => reply(outcome));
    started.on("error", (error: NodeJS.ErrnoException) => {
      thread = undefined;
      const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reply({ problem: isFull ? tooMuchMemory : "it is damaged" });
    });
    return started;
  }

  function reply(outcome: ConversionOutcome): void {
    if (memoryTimer === undefined) return;
    clearInterval(memoryTimer);
    memoryTimer = undefined;
    const shouldReplace = process.memoryUsage.rss() > replaceAboveMemory;
    process.send?.({ ...outcome, shouldReplace } satisfies ConversionReply);
  }

  onParentExit(() => process.exit());
  process.on("message", (job: ConversionJob) => {
    thread ??= startThread();
    memoryTimer = setInterval(() => {
      if (process.memoryUsage.rss() > maxMemory) reply({ problem: tooMuchMemory });
    }, 50);
    thread.postMessage(job);
  });
}

const tooMuchMemory = "it takes too much memory to read";

function runWorkerThread(): void {
  // Remove network access, so that no library can fetch external pages, images or fonts.
  for (const name of ["fetch", "WebSocket", "XMLHttpRequest", "EventSource"]) {
    Reflect.deleteProperty(globalThis, name);
  }
  // A library may reject a promise after its file was converted; this must not end the thread.
  process.on("unhandledRejection", () => undefined);
  const send = (outcome: ConversionOutcome) => parentPort?.postMessage(outcome);
  parentPort?.on("message", async (job: ConversionJob) => {
    try {
      send({ text: await convert(job) });
    } catch (error) {
      send(describeProblem(error));
    }
  });
}

/** Loads each converter lazily, because the libraries are large. */
async function convert({ format, style, name, bytes }: ConversionJob): Promise<string> {
  switch (format) {
    case "html":
      return (await import("./converters/html.ts")).htmlToText(bytes, style);
    case "docx":
      return (await import("./converters/docx.ts")).docxToText(bytes, style);
    case "pdf":
      return (await import("./converters/pdf.ts")).pdfToText(bytes, name, style);
    case "odt":
      return (await import("./converters/odt.ts")).odtToText(bytes, style);
    case "epub":
      return (await import("./converters/epub.ts")).epubToText(bytes, style);
    case "rtf":
      return (await import("./converters/rtf.ts")).rtfToText(bytes, style);
    case "notebook":
      return (await import("./converters/notebook.ts")).readNotebook(bytes);
  }
}

/** Replaces the technical messages of libraries by ones that a user understands. */
function describeProblem(error: unknown): ConversionOutcome {
  if (error instanceof Failure) return { problem: error.message };
  if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { problem: "its converter is not installed", isTemporary: true };
  }
  const isDeep = error instanceof RangeError && /call stack/i.test(error.message);
  return { problem: isDeep ? "it is nested too deeply" : "it is damaged" };
}
