import type { CallOptions } from "../../kernel/call.ts";
import type { Entry } from "../../kernel/catalogue.ts";
import { Failure } from "../../kernel/failure.ts";
import type { Library } from "../../kernel/library.ts";
import { type LogLevel, logLevels } from "../../kernel/log.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { printAnswer } from "./answer.ts";
import type { Format } from "./answer-flags.ts";
import { exitCodes, interruptedCode } from "./exit-codes.ts";
import { openProgressLine } from "./progress-line.ts";
import type { Screen } from "./screen.ts";

/** Whoever does the work: the library that is opened here, or a server. */
export type Asked = (options: CallOptions) => ReturnType<Library["call"]>;

/** Asks for one operation for the person at the shell, who has no time limit but has Ctrl+C. */
export async function callOperation(
  operation: AnyOperation,
  asked: Asked,
  { format, logLevel, out, err }: { format: Format; logLevel: LogLevel; out: Screen; err: Screen },
): Promise<number> {
  const progress = openProgressLine(err, operation.title);
  const least = logLevels.indexOf(logLevel);
  const interruption = listenForInterrupt();
  let told = Promise.resolve();
  try {
    const options: CallOptions = {
      actor: { surface: "cli" },
      signal: interruption.signal,
      onProgress: progress.show,
      onLog(level, message) {
        if (logLevels.indexOf(level) < least) return;
        // A reader of stderr that has gone is no reason to stop.
        told = told
          .then(() => progress.clear())
          .then(() => err.write(`${err.foreign(message)}\n`))
          .catch(() => {});
      },
    };
    const outcome = await Promise.race([asked(options), interruption.patienceLost]);
    await told;
    await progress.clear();
    if (!outcome || interruption.signal.aborted) return interruptedCode;
    if (outcome.ok) {
      await printAnswer(operation, outcome.value, outcome.input, { format, out });
      return operation.hasFailed?.(outcome.value) ? exitCodes.internal : 0;
    }
    throw outcome.failure ?? unanswerable(Object.values(outcome.questions));
  } finally {
    interruption.stopListening();
  }
}

/** The work is done here, by the library. */
export function askLibrary(library: Library, entry: Entry, input: unknown): Asked {
  return async (options) => {
    // What reads an index would show half of it; a removal must not wait for what it removes.
    const { operation, shelf } = entry;
    if (shelf.absorb && (operation.effect === "reads" || operation.readsIndex)) {
      const onProgress = (done: number) =>
        options.onProgress?.(done, undefined, "documents read for the first time");
      await library.fill({ ...options, onProgress });
    }
    return library.call(entry, input, options);
  };
}

/** How long work may take to notice that it was interrupted. */
const patienceMs = 1_000;

function listenForInterrupt() {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let listener = () => {};
  const patienceLost = new Promise<undefined>((resolve) => {
    listener = () => {
      controller.abort();
      timer = setTimeout(resolve, patienceMs, undefined);
    };
  });
  // Once: a second Ctrl+C finds no listener and ends the process at once.
  process.once("SIGINT", listener);
  return {
    signal: controller.signal,
    patienceLost,
    stopListening() {
      clearTimeout(timer);
      process.removeListener("SIGINT", listener);
    },
  };
}

/** Questions go to a client with a form or a model behind it; a shell has neither. */
const unanswerable = (questions: readonly object[]): Failure =>
  new Failure("unavailable", "needs-answer", "This waits for an answer that a shell cannot give.", {
    hints: questions.flatMap((question) =>
      "message" in question ? [String(question.message)] : [],
    ),
  });
