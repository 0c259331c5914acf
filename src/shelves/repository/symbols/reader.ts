import {
  childProgram,
  hearOut,
  openSharedChild,
  startChild,
} from "../../../kernel/child-process.ts";
import { Failure } from "../../../kernel/failure.ts";
import { newHash } from "../../../kernel/hashing.ts";
import { makeQueue } from "../../../kernel/queue.ts";
import type { ParseAnswer, ParseJob, ParseOutcome } from "./job.ts";

/** Reads the symbols of files in a process of its own, one file after the other. */
export interface SymbolReader {
  /** The symbols of a text, or in a few words why there are none. Only a missing part fails. */
  read(job: ParseJob): Promise<ParseOutcome>;
}

export interface SymbolReaderOptions {
  /** The file that the child runs. */
  program?: string;
  /** How long one file may take, with the start of the child and the loading of its grammar. */
  deadlineMs?: number;
  /** How long the child stays when there is nothing to read. */
  idleMs?: number;
}

/** What came of a question. Where the child was lost the file may be read another time. */
interface Asked {
  outcome: ParseOutcome;
  isSettled: boolean;
}

/** What was read is remembered by its text, up to so many files and symbols. */
const mostRemembered = { files: 20_000, symbols: 200_000 };

/**
 * Grammars run in a child process: a file that crashes one, fills the memory or never ends costs
 * itself and nothing else, and nobody waits for the parser who does not need it. The child is
 * started by the first file; it ends after a while without work, and when our end of its channel
 * closes.
 */
export function openSymbolReader(options: SymbolReaderOptions = {}): SymbolReader {
  const { deadlineMs = 20_000, idleMs = 30_000 } = options;
  const queue = makeQueue();
  const shared = openSharedChild(idleMs);
  const remembered = new Map<string, ParseOutcome>();
  let symbolsRemembered = 0;

  async function ask(job: ParseJob): Promise<Asked> {
    const child = shared.take(() => startParser(options.program));
    const heard = await hearOut(child, job, { deadlineMs }, (answer: ParseAnswer) => answer);
    if ("lost" in heard) {
      shared.dismiss();
      const problem = heard.lost === "late" ? "it takes too long to parse" : "parsing it crashed";
      return { outcome: { problem }, isSettled: false };
    }
    const { isSpent, ...outcome } = heard.answer;
    if (isSpent) shared.dismiss();
    else shared.rest();
    return { outcome, isSettled: true };
  }

  function remember(key: string, outcome: ParseOutcome): void {
    const { files, symbols } = mostRemembered;
    if (remembered.size >= files || symbolsRemembered >= symbols) {
      remembered.clear();
      symbolsRemembered = 0;
    }
    remembered.set(key, outcome);
    symbolsRemembered += "symbols" in outcome ? outcome.symbols.length : 0;
  }

  return {
    async read(job) {
      const key = keyOf(job);
      const known = remembered.get(key);
      if (known) return known;
      const { outcome, isSettled } = await queue.run(job.grammar, () => ask(job));
      if (isSettled) remember(key, outcome);
      return outcome;
    },
  };
}

const keyOf = ({ grammar, text }: ParseJob): string =>
  newHash().update(grammar).update("\0").update(text).digest("base64");

function startParser(given: string | undefined) {
  const program = childProgram("symbols.mjs", given);
  if (program) return startChild(["--max-old-space-size=512", program]);
  throw new Failure("unavailable", "no-parser", "The code could not be read.", {
    hints: ["A part of the program is missing: install or build it anew."],
  });
}
