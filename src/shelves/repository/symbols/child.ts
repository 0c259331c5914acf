/**
 * The process that parses code of strangers. Its first thread only listens: a file which keeps a
 * grammar busy forever hinders neither the end of this process nor the watch over its memory.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { Language, Parser } from "@vscode/tree-sitter-wasm";
import { symbolsIn } from "./extraction.ts";
import type { GrammarName } from "./grammars.ts";
import type { ParseJob, ParseOutcome } from "./job.ts";

const megabyte = 1024 * 1024;
/** A grammar's memory is not on the heap, whose limit therefore does not hold it. */
const mostMemoryMb = 900;
/** A process that has grown to this is replaced: what a grammar once took it does not give back. */
const muchMemoryMb = 400;

/** How long a grammar may work on one file. The processor's time counts: others may be busy too. */
const mostWorkMs = 2_000;

if (isMainThread) listen();
else work();

function listen(): void {
  // Both threads run this file.
  const thread = new Worker(process.argv[1] ?? "", {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  /** Runs while a file is parsed. */
  let watch: NodeJS.Timeout | undefined;
  const memoryMb = () => process.memoryUsage.rss() / megabyte;

  function tell(outcome: ParseOutcome, isBroken = false): void {
    if (watch === undefined) return;
    clearInterval(watch);
    watch = undefined;
    process.send?.({ ...outcome, isSpent: isBroken || memoryMb() > muchMemoryMb });
  }

  // A thread inside a grammar cannot be ended, and an ordinary exit would wait for it.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  thread.on("message", tell);
  thread.on("error", () => tell({ problem: "parsing it failed" }, true));
  process.on("message", (job: ParseJob) => {
    watch = setInterval(() => {
      if (memoryMb() > mostMemoryMb) tell({ problem: "it takes too much memory to parse" }, true);
    }, 50);
    thread.postMessage(job);
  });
}

function work(): void {
  const { resolve } = createRequire(import.meta.url);
  const library = resolve("@vscode/tree-sitter-wasm");
  const loaded = new Map<GrammarName, Promise<Language>>();
  let parser: Promise<Parser> | undefined;
  // The package is one script that assigns its exports, which an import cannot name.
  const sitter: typeof import("@vscode/tree-sitter-wasm") = createRequire(import.meta.url)(library);

  async function openParser(): Promise<Parser> {
    await sitter.Parser.init();
    return new sitter.Parser();
  }

  function grammarNamed(name: GrammarName): Promise<Language> {
    const known = loaded.get(name);
    if (known) return known;
    const file = join(dirname(library), `tree-sitter-${name}.wasm`);
    const loading = sitter.Language.load(file);
    loaded.set(name, loading);
    return loading;
  }

  async function parsed({ grammar, text }: ParseJob): Promise<ParseOutcome> {
    parser ??= openParser();
    const ready = await parser;
    ready.setLanguage(await grammarNamed(grammar));
    ready.reset();
    const begin = process.cpuUsage();
    const isOver = () => process.cpuUsage(begin).user > mostWorkMs * 1_000;
    const tree = ready.parse(text, null, { progressCallback: isOver });
    if (!tree) return { problem: "it takes too long to parse" };
    try {
      return { symbols: symbolsIn(tree.rootNode, grammar, text) };
    } finally {
      tree.delete();
    }
  }

  // What failed inside a grammar leaves its memory in disorder, so the thread ends with it.
  parentPort?.on("message", async (job: ParseJob) => parentPort?.postMessage(await parsed(job)));
}
