/**
 * The process that converts files. Its first thread only listens: the converters work in a second
 * one, so that a file which keeps them busy forever hinders neither the end of this process nor the
 * watch over its memory.
 */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Failure } from "../failure.ts";
import type { ConversionJob, ConversionOutcome } from "./converter.ts";

/** What unpacked streams take is not on the heap, whose limit therefore does not hold it. */
const mostHeapMb = 512;
const mostMemory = 900 * 1024 * 1024;

/** A process that has grown to this is replaced: what it once took it hardly gives back. */
const muchMemory = 300 * 1024 * 1024;

/** Both threads run this file. */
const ownFile = process.argv[1] ?? "";

if (isMainThread) listen();
else work();

function listen(): void {
  let thread: Worker | undefined;
  /** Runs while a file is converted. */
  let watch: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const started = new Worker(ownFile, {
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
    });
    started.on("message", answer);
    started.on("error", (error: NodeJS.ErrnoException) => {
      thread = undefined;
      const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      answer({ problem: isFull ? tooMuchMemory : "it is damaged" });
    });
    return started;
  }

  function answer(outcome: ConversionOutcome): void {
    if (watch === undefined) return;
    clearInterval(watch);
    watch = undefined;
    process.send?.({ ...outcome, isSpent: process.memoryUsage.rss() > muchMemory });
  }

  process.on("disconnect", () => process.exit());
  process.on("message", (job: ConversionJob) => {
    thread ??= startThread();
    watch = setInterval(() => {
      if (process.memoryUsage.rss() > mostMemory) answer({ problem: tooMuchMemory });
    }, 50);
    thread.postMessage(job);
  });
}

const tooMuchMemory = "it takes too much memory to read";

function work(): void {
  // A page, a picture or a font that lies elsewhere is never fetched.
  for (const name of ["fetch", "WebSocket", "XMLHttpRequest", "EventSource"]) {
    Reflect.deleteProperty(globalThis, name);
  }
  // What a library leaves behind after its file must not end the thread.
  process.on("unhandledRejection", () => undefined);
  parentPort?.on("message", async (job: ConversionJob) => {
    try {
      parentPort?.postMessage({ text: await convert(job) });
    } catch (error) {
      parentPort?.postMessage(problemOf(error));
    }
  });
}

/** Each converter is loaded by the first file that needs it. */
async function convert({ format, manner, name, bytes }: ConversionJob): Promise<string> {
  switch (format) {
    case "html":
      return (await import("./html.ts")).htmlToText(bytes, manner);
    case "docx":
      return (await import("./docx.ts")).docxToText(bytes, manner);
    case "pdf":
      return (await import("./pdf.ts")).pdfToText(bytes, name, manner);
    case "odt":
      return (await import("./odt.ts")).odtToText(bytes, manner);
    case "epub":
      return (await import("./epub.ts")).epubToText(bytes, manner);
    case "rtf":
      return (await import("./rtf.ts")).rtfToText(bytes, manner);
    case "notebook":
      return (await import("./notebook.ts")).readNotebook(bytes);
  }
}

/** What a library says of a file is for its makers; whoever owns the file is told in our words. */
function problemOf(error: unknown): ConversionOutcome {
  if (error instanceof Failure) return { problem: error.message };
  if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { problem: "its converter is not installed", forNow: true };
  }
  const isDeep = error instanceof RangeError && /call stack/i.test(error.message);
  return { problem: isDeep ? "it is nested too deeply" : "it is damaged" };
}
