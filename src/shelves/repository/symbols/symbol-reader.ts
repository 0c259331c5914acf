import { Failure } from "../../../kernel/failure.ts";
import { createSha256 } from "../../../kernel/files/hashes.ts";
import {
  awaitReply,
  findChildProgram,
  openSharedChild,
  startChild,
} from "../../../kernel/processes/child-process.ts";
import { createSerialQueue } from "../../../kernel/processes/serial-queue.ts";
import type { ParseJob, ParseOutcome, ParseReply } from "./parse-job.ts";

/** Reads the symbols of files in a child process, one file at a time. */
export interface SymbolReader {
  /**
   * The symbols of a text, or the reason why there are none. Throws only if the parser is not
   * installed.
   */
  read(job: ParseJob): Promise<ParseOutcome>;
}

export interface SymbolReaderOptions {
  /** The program that the child runs. */
  program?: string;
  /** The timeout for one file, including the start of the child and the loading of its grammar. */
  deadlineMs?: number;
  /** How long the child stays idle before it is stopped. */
  idleMs?: number;
}

/** The result of a request. If the child was lost, the file may be tried again. */
interface ParseAttempt {
  outcome: ParseOutcome;
  isSettled: boolean;
}

/** Limits of the cache, which is keyed by text. */
const cacheLimits = { files: 20_000, symbols: 200_000 };

/**
 * Grammars run in a child process: a file that crashes one, fills the memory or never ends affects
 * only itself. The child is started by the first file; it ends after an idle period, or when its
 * IPC channel closes.
 */
export function createSymbolReader(options: SymbolReaderOptions = {}): SymbolReader {
  const { deadlineMs = 20_000, idleMs = 30_000 } = options;
  const queue = createSerialQueue();
  const sharedChild = openSharedChild(idleMs);
  const cache = new Map<string, ParseOutcome>();
  let cachedSymbols = 0;

  async function requestParse(job: ParseJob): Promise<ParseAttempt> {
    const child = sharedChild.getOrStart(() => startParser(options.program));
    const reply = await awaitReply(child, job, { deadlineMs }, (answer: ParseReply) => answer);
    if ("lost" in reply) {
      sharedChild.kill();
      const problem = reply.lost === "late" ? "it takes too long to parse" : "parsing it crashed";
      return { outcome: { problem }, isSettled: false };
    }
    const { shouldReplace, ...outcome } = reply.answer;
    if (shouldReplace) sharedChild.kill();
    else sharedChild.release();
    return { outcome, isSettled: true };
  }

  function cacheOutcome(key: string, outcome: ParseOutcome): void {
    const { files, symbols } = cacheLimits;
    if (cache.size >= files || cachedSymbols >= symbols) {
      cache.clear();
      cachedSymbols = 0;
    }
    cache.set(key, outcome);
    cachedSymbols += "symbols" in outcome ? outcome.symbols.length : 0;
  }

  return {
    async read(job) {
      const key = cacheKey(job);
      const cached = cache.get(key);
      if (cached) return cached;
      const { outcome, isSettled } = await queue.run(job.grammar, () => requestParse(job));
      if (isSettled) cacheOutcome(key, outcome);
      return outcome;
    },
  };
}

const cacheKey = ({ grammar, text }: ParseJob): string =>
  createSha256().update(grammar).update("\0").update(text).digest("base64");

function startParser(program: string | undefined) {
  const path = findChildProgram("symbols.mjs", program);
  if (path) return startChild(["--max-old-space-size=512", path]);
  throw new Failure("unavailable", "no-parser", "The code could not be parsed.", {
    hints: ["A part of the program is missing: reinstall or rebuild it."],
  });
}
