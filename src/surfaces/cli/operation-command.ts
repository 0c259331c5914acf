import type { CallOptions } from "../../kernel/call.ts";
import { Failure, notFound } from "../../kernel/failure.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import type { CatalogueEntry } from "../../kernel/operations/catalogue.ts";
import { noteMessages } from "../../kernel/operations/note.ts";
import type { App } from "../../kernel/runtime/app.ts";
import { type LogLevel, logLevels } from "../../kernel/runtime/log.ts";
import type { ResultOptions } from "./arguments/result-flags.ts";
import { exitCodes, interruptedCode } from "./exit-codes.ts";
import {
  type CollectionFolders,
  linkMaker,
  pathOnDisk,
  withDiskPaths,
} from "./output/document-paths.ts";
import { openProgressLine } from "./output/progress-line.ts";
import { printBlocks, printResult } from "./output/result-output.ts";
import { type ResultRow, resultTableOf, rowFile } from "./output/result-table.ts";
import type { TextOutput } from "./output/text-output.ts";
import { nameProgram } from "./program-identity.ts";

/** Executes an operation: in this process, or on a running server. */
export type OperationCaller = (options: CallOptions) => ReturnType<App["call"]>;

interface RunOptions {
  resultOptions: ResultOptions;
  logLevel: LogLevel;
  env: Readonly<Record<string, string | undefined>>;
  out: TextOutput;
  err: TextOutput;
  /** The name the program was started by. */
  program: string;
  interruption?: AbortSignal | undefined;
  /** Called only for a result that names documents. */
  readCollectionFolders: () => Promise<CollectionFolders>;
}

/** Runs one operation and prints its result. There is no time limit; Ctrl+C cancels it. */
export async function runOperation(
  operation: AnyOperation,
  callOperation: OperationCaller,
  options: RunOptions,
): Promise<number> {
  const { resultOptions, logLevel, out, err, program } = options;
  const { format, fullPath, open } = resultOptions;
  const progress = openProgressLine(err, operation.title);
  const minLevel = logLevels.indexOf(logLevel);
  const interruption = listenForInterrupt(options.interruption);
  let logged = Promise.resolve();
  try {
    const callOptions: CallOptions = {
      actor: { surface: "cli" },
      signal: interruption.signal,
      onProgress: progress.update,
      ...(format === "text" &&
        !fullPath &&
        !open && {
          async onPart(blocks) {
            await progress.clear();
            await printBlocks(blocks, out);
          },
        }),
      onLog(level, message) {
        if (logLevels.indexOf(level) < minLevel) return;
        // A closed stderr does not stop the operation.
        logged = logged
          .then(() => progress.clear())
          .then(() => err.write(`${err.sanitize(nameProgram(message, program))}\n`))
          .catch(() => {});
      },
    };
    const call = callOperation(callOptions).catch((error: unknown) => {
      // What precedes the call, such as refreshing the index, throws when it is interrupted.
      if (interruption.signal.aborted) return undefined;
      throw error;
    });
    const outcome = await Promise.race([call, interruption.graceElapsed]);
    await logged;
    await progress.clear();
    if (!outcome || interruption.signal.aborted) {
      await err.write(`${interruptedMessage(operation)}\n`).catch(() => {});
      return interruptedCode;
    }
    if (outcome.ok) {
      await printOutcome(operation, outcome.value, outcome.input, options);
      return operation.hasFailed?.(outcome.value) ? exitCodes.internal : 0;
    }
    throw outcome.failure ?? unansweredQuestions(Object.values(outcome.questions));
  } finally {
    interruption.stopListening();
  }
}

/** Prints a result and its notes, or opens its first document. */
async function printOutcome(
  operation: AnyOperation,
  output: Record<string, unknown>,
  input: unknown,
  { resultOptions, env, out, err, program, readCollectionFolders }: RunOptions,
): Promise<void> {
  const { format, fullPath, isNullTerminated, open } = resultOptions;
  const table = resultTableOf(operation);
  const needsPaths = fullPath || open || format === "paths" || out.isTerminal;
  const isLocated = table.namesDocuments && needsPaths;
  const folders = isLocated ? await readCollectionFolders() : new Map<string, string>();
  const [first] = open ? table.rowsIn(output) : [];
  if (first) await openResult(first, folders, { env, err });
  else {
    const isFull = fullPath || format === "paths";
    await printResult(operation, isFull ? withDiskPaths(table, output, folders) : output, input, {
      format,
      isNullTerminated,
      out,
      linkOf: linkMaker(folders, env.LECTERN_EDITOR_URI),
    });
  }
  for (const message of noteMessages(output)) {
    await err.write(`${err.sanitize(nameProgram(message, program))}\n`);
  }
}

async function openResult(
  row: ResultRow,
  folders: CollectionFolders,
  { env, err }: Pick<RunOptions, "env" | "err">,
): Promise<void> {
  const file = rowFile(row) ?? "";
  const path = pathOnDisk(file, folders);
  if (path === undefined) throw notFound(`${file} is in no collection of this home.`);
  const found = row.matchLine ?? row.line;
  const line = typeof found === "number" ? found : 1;
  await err.write(`${err.sanitize(`${path}:${line}`)}\n`);
  const { openDocument } = await import("./output/open-document.ts");
  await openDocument(path, line, env);
}

/** A cancelled read has changed nothing; the completed part of a cancelled write is kept. */
const interruptedMessage = ({ effect }: AnyOperation): string =>
  effect === "reads"
    ? "Stopped by Ctrl+C."
    : "Stopped by Ctrl+C. Completed work is kept; run the command again to continue.";

/** Executes the operation in this process. */
export function callInProcess(app: App, entry: CatalogueEntry, input: unknown): OperationCaller {
  return async (options) => {
    // A reader needs a complete index. Other operations, such as a removal, do not wait for it.
    const { operation, shelf } = entry;
    if (shelf.onDocumentChanges && (operation.effect === "reads" || operation.readsIndex)) {
      const onProgress = (done: number) =>
        options.onProgress?.(done, undefined, "documents indexed");
      await app.refreshIndex({ ...options, onProgress });
    }
    return app.call(entry, input, options);
  };
}

/** How long a cancelled operation may take to stop. */
const interruptGraceMs = 1_000;

/** Without a signal that reports it, Ctrl+C is the interruption. */
function listenForInterrupt(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let listener = () => {};
  const graceElapsed = new Promise<undefined>((resolve) => {
    listener = () => {
      controller.abort();
      timer = setTimeout(resolve, interruptGraceMs, undefined);
    };
  });
  if (signal?.aborted) listener();
  if (signal) signal.addEventListener("abort", listener, { once: true });
  // Only once: with no listener left, a second Ctrl+C ends the process immediately.
  else process.once("SIGINT", listener);
  return {
    signal: controller.signal,
    graceElapsed,
    stopListening() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", listener);
      process.removeListener("SIGINT", listener);
    },
  };
}

/** Elicitation and sampling need an MCP client that supports them; a shell does not. */
const unansweredQuestions = (questions: readonly object[]): Failure =>
  new Failure(
    "unavailable",
    "needs-answer",
    "This command asks a question that only an MCP client can answer.",
    {
      hints: questions.flatMap((question) =>
        "message" in question ? [String(question.message)] : [],
      ),
    },
  );
