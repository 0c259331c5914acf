/**
 * The process that parses untrusted code. The main thread only supervises a worker thread, so that
 * a file which hangs a grammar blocks neither the exit of this process nor the check of its memory.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { Language, Parser } from "@vscode/tree-sitter-wasm";
import { exitImmediately, onParentExit } from "../../../kernel/processes/parent-exit.ts";
import type { GrammarName } from "./grammars.ts";
import type { ParseJob, ParseOutcome, ParseReply } from "./parse-job.ts";
import { extractSymbols } from "./symbol-extraction.ts";

const megabyte = 1024 * 1024;
/** WebAssembly memory is outside the JavaScript heap, so the heap limit does not bound it. */
const maxMemoryMb = 900;
/** Above this the process is replaced: WebAssembly memory never shrinks. */
const restartMemoryMb = 400;

/**
 * The limit of CPU time per file. CPU time rather than wall time, because other processes may be
 * busy.
 */
const maxParseCpuMs = 2_000;

if (isMainThread) superviseWorker();
else runWorker();

function superviseWorker(): void {
  // Both threads run this file.
  const thread = new Worker(process.argv[1] ?? "", {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  /** Set while a file is being parsed. */
  let watch: NodeJS.Timeout | undefined;
  const memoryMb = () => process.memoryUsage.rss() / megabyte;

  function reply(outcome: ParseOutcome, isBroken = false): void {
    if (watch === undefined) return;
    clearInterval(watch);
    watch = undefined;
    const shouldReplace = isBroken || memoryMb() > restartMemoryMb;
    process.send?.({ ...outcome, shouldReplace } satisfies ParseReply);
  }

  // A thread inside WebAssembly cannot be terminated, and a normal exit would wait for it.
  onParentExit(exitImmediately);
  thread.on("message", (outcome: ParseOutcome) => reply(outcome));
  thread.on("error", () => reply({ problem: "parsing it failed" }, true));
  process.on("message", (job: ParseJob) => {
    watch = setInterval(() => {
      if (memoryMb() > maxMemoryMb) reply({ problem: "it takes too much memory to parse" }, true);
    }, 50);
    thread.postMessage(job);
  });
}

function runWorker(): void {
  const { resolve } = createRequire(import.meta.url);
  const library = resolve("@vscode/tree-sitter-wasm");
  const loaded = new Map<GrammarName, Promise<Language>>();
  let parser: Promise<Parser> | undefined;
  // The package is a CommonJS script whose exports cannot be imported by name.
  const treeSitter: typeof import("@vscode/tree-sitter-wasm") = createRequire(import.meta.url)(
    library,
  );

  async function openParser(): Promise<Parser> {
    await treeSitter.Parser.init();
    return new treeSitter.Parser();
  }

  function loadGrammar(name: GrammarName): Promise<Language> {
    const cached = loaded.get(name);
    if (cached) return cached;
    const file = join(dirname(library), `tree-sitter-${name}.wasm`);
    const loading = treeSitter.Language.load(file);
    loaded.set(name, loading);
    return loading;
  }

  async function parse({ grammar, text }: ParseJob): Promise<ParseOutcome> {
    parser ??= openParser();
    const ready = await parser;
    ready.setLanguage(await loadGrammar(grammar));
    ready.reset();
    const startUsage = process.cpuUsage();
    const isOver = () => process.cpuUsage(startUsage).user > maxParseCpuMs * 1_000;
    const tree = ready.parse(text, null, { progressCallback: isOver });
    if (!tree) return { problem: "it takes too long to parse" };
    try {
      return { symbols: extractSymbols(tree.rootNode, grammar, text) };
    } finally {
      tree.delete();
    }
  }

  // An exception inside a grammar corrupts its memory, so it is not caught and ends the thread.
  parentPort?.on("message", async (job: ParseJob) => parentPort?.postMessage(await parse(job)));
}
