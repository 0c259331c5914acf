import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { elementAt } from "../../../text/arrays/element-at.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { Failure } from "../../failure.ts";
import { bundledModelsFolder } from "../bundled-models.ts";
import { llamaPackage } from "./gguf-model.ts";
import type { LocalModel, ModelJob, ModelProcessOptions, ModelTask, ResultOf } from "./job.ts";
import { openModelProcess } from "./model-process.ts";
import { createPriorityQueue, type JobPriority } from "./priority-queue.ts";

/** Runs local models in shared child processes. */
export interface ModelRunner {
  /** The folder of the bundled models. */
  readonly folder: string;
  /** The number of parallel jobs that it runs at the same time. */
  readonly lanes: number;
  /** Why a model cannot be run, as far as known without loading it. */
  problemWith(model: LocalModel): Failure | undefined;
  run<Task extends ModelTask>(
    model: LocalModel,
    task: Task,
    priority: JobPriority,
  ): Promise<ResultOf<Task>>;
  /** Ends the children. Jobs that still wait fail. */
  close(): Promise<void>;
}

export interface ModelRunnerOptions {
  /** The folder of the bundled models and of the children's program. */
  folder?: string;
  /** The name or path of the ONNX runtime. */
  library?: string;
  /** Threads per model that is not small. */
  threads?: number;
  /** The maximum number of children. */
  lanes?: number;
  /** Limit for one job, including the loading of its model. */
  deadlineMs?: number;
  /** How long an idle child stays alive, and how long a failed model is not retried. */
  idleMs?: number;
  /** A monotonic clock in milliseconds, for the delay before a retry. */
  now?: () => number;
}

/**
 * Models run in child processes, because inference would block this one, and a crash of the native
 * library then fails only one job. The first job starts a child; parallel jobs start one per lane.
 */
export function openModelRunner(options: ModelRunnerOptions = {}): ModelRunner {
  const {
    library = "onnxruntime-node",
    deadlineMs = 60_000,
    idleMs = 60_000,
    lanes = usefulLanes(),
    now = () => performance.now(),
  } = options;
  const folder = options.folder ?? bundledModelsFolder();
  const program = join(folder, "run.mjs");
  const queue = createPriorityQueue(lanes);
  /** Models that failed to load; they are not retried before `until`. */
  const failedModels = new Map<string, { failure: Failure; until: number }>();
  const processes = Array.from({ length: lanes }, () =>
    openModelProcess({ program, options: processOptions, deadlineMs, idleMs }),
  );
  let closed = false;
  let libraryPath: string | undefined;
  /** Cached once it is found, because resolving it takes longer than the rest of a health check. */
  const findLibrary = (): string | undefined => (libraryPath ??= resolveLibrary(library));

  function problemWith(model: LocalModel): Failure | undefined {
    if (closed) return modelUnavailable(shutdownHint);
    if (processes.some((process) => process.hasLoaded(keyOf(model)))) return undefined;
    const failed = failedModels.get(keyOf(model));
    if (failed && now() < failed.until) return failed.failure;
    if (![program, ...filesIn(model)].every((file) => existsSync(file))) {
      return modelUnavailable(
        isBundled(model)
          ? "Its files are missing: reinstall or rebuild Lectern."
          : "Its files are not where the configuration says: check 'path' in models.",
      );
    }
    const isGguf = model.format === "gguf";
    if (isGguf ? hasPackage(llamaPackage, program) : findLibrary()) return undefined;
    const needed = isGguf ? llamaPackage : "onnxruntime-node";
    return modelUnavailable(`The library that runs it is missing: npm install ${needed}`);
  }

  async function runJob(job: ModelJob, lane: number): Promise<Float32Array | string> {
    const key = keyOf(job.model);
    const problem = problemWith(job.model);
    if (problem) throw problem;
    const runner = elementAt(processes, lane);
    const wasLoaded = runner.hasLoaded(key);
    const answer = await runner.run(key, job);
    if (!answer) throw failureOfLoss(key, wasLoaded);
    if ("result" in answer) return answer.result;
    const failure = modelUnavailable(failureHint(job.model, answer.problem), answer.problem);
    if (!answer.isLoaded) startBackoff(key, failure);
    throw failure;
  }

  function failureOfLoss(model: string, wasLoaded: boolean): Failure {
    if (closed) return modelUnavailable(shutdownHint);
    const failure = modelUnavailable("The model process crashed or took too long.");
    if (!wasLoaded) startBackoff(model, failure);
    return failure;
  }

  function startBackoff(model: string, failure: Failure): void {
    failedModels.set(model, { failure, until: now() + idleMs });
  }

  function processOptions(): ModelProcessOptions {
    return {
      runtime: findLibrary() ?? library,
      threads: options.threads ?? usefulThreads(availableParallelism() / 2),
      urgentThreads: options.threads ?? usefulThreads(availableParallelism()),
    };
  }

  return {
    folder,
    lanes,
    problemWith,
    run: <Task extends ModelTask>(model: LocalModel, task: Task, priority: JobPriority) =>
      // The child returns the result type of the task.
      queue.run((lane) => runJob({ model, ...task }, lane) as Promise<ResultOf<Task>>, priority),
    async close() {
      closed = true;
      await Promise.all(processes.map((process) => process.close()));
    },
  };
}

/** One per processor. Each uses up to 180 MB, so a machine with little memory has fewer. */
const usefulLanes = (): number =>
  Math.max(1, Math.min(8, availableParallelism(), Math.floor(totalmem() / 2 ** 30)));

const shutdownHint = "Lectern is shutting down.";

/** The message is part of the search shelf's contract; the hint says what to do. */
function modelUnavailable(hint: string, cause?: unknown): Failure {
  return new Failure("unavailable", "no-model", "Model not loaded", { hints: [hint], cause });
}

/** More than four threads do not speed up texts of this size. */
const usefulThreads = (cores: number): number => Math.min(4, Math.max(1, Math.floor(cores)));

/** For a user's model the library's message, without the path of the model. */
function failureHint(model: LocalModel, problem: string): string {
  if (isBundled(model)) return "It failed on this machine.";
  const folders = filesIn(model).map(dirname);
  const message = folders.reduce((text, folder) => text.replaceAll(folder, "…"), problem);
  return `It failed on this machine: ${toPrintable(message).slice(0, 300)}`;
}

const isBundled = (model: LocalModel): boolean =>
  model.format === "onnx" && model.sha256 !== undefined;

const keyOf = (model: LocalModel): string => JSON.stringify(model);

const filesIn = (model: LocalModel): string[] =>
  model.format === "onnx" ? [model.network, model.tokenizer] : [model.file];

function resolveLibrary(library: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(library);
  } catch {
    return undefined;
  }
}

/** Searches the folders from which the child would load the package, without loading it. */
const hasPackage = (name: string, program: string): boolean =>
  (createRequire(program).resolve.paths(name) ?? []).some((folder) =>
    existsSync(join(folder, name, "package.json")),
  );
