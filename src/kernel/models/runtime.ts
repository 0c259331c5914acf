import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ended, startChild } from "../child-process.ts";
import { Failure } from "../failure.ts";
import { type ModelName, modelFiles, shippedModels } from "./bundled.ts";
import type { ModelAnswer, ModelJob, ModelProcessOptions } from "./job.ts";
import { makeLanes, type Urgency } from "./lanes.ts";

/** The models of this process, which all who need them share. */
export interface ModelRuntime {
  /** Where the models are. */
  readonly folder: string;
  /** Why a model cannot be run, as far as that shows without loading it. */
  problemWith(model: ModelName): Failure | undefined;
  run(job: ModelJob, how: Urgency): Promise<Float32Array>;
  /** Ends the process; jobs that still wait fail. */
  close(): Promise<void>;
}

export interface ModelRuntimeOptions {
  /** Where the models are, with the program that runs them. */
  folder?: string;
  /** The name or the path of the library that runs networks. */
  library?: string;
  /** How many processor cores a model may keep busy. */
  threads?: number;
  /** How long one job may take, with the loading of its model. */
  deadlineMs?: number;
  /** How long the child stays when there is nothing to do, and how long a failed model rests. */
  idleMs?: number;
}

/**
 * The models live in a child process, which the first job starts and all others share: a network
 * would keep our own thread busy, and a crash of its library costs one job and nothing else. The
 * child ends after a while without work, and when our end of its channel closes.
 */
export function openModelRuntime(options: ModelRuntimeOptions = {}): ModelRuntime {
  const { library = "onnxruntime-node", deadlineMs = 60_000, idleMs = 60_000 } = options;
  const folder = options.folder ?? shippedModels();
  const program = join(folder, "run.mjs");
  const lanes = makeLanes();
  /** Models that could not be loaded; trying again at once would only cost time. */
  const resting = new Map<ModelName, { failure: Failure; until: number }>();
  const living = new Set<ChildProcess>();
  let child: ChildProcess | undefined;
  let hasAnswered = new Set<ModelName>();
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function problemWith(model: ModelName): Failure | undefined {
    if (closed) return noModel("The program is about to end.");
    if (child && hasAnswered.has(model)) return undefined;
    const rest = resting.get(model);
    if (rest && performance.now() < rest.until) return rest.failure;
    const { network, tokenizer } = modelFiles(folder, model);
    if (![program, network, tokenizer].every((file) => existsSync(file))) {
      return noModel("Its files are missing: install or build the program anew.");
    }
    if (!placeOf(library)) {
      return noModel("The library that runs it is missing: npm install onnxruntime-node");
    }
    return undefined;
  }

  /** While an answer is awaited the process must not end; the deadline's timer sees to that. */
  async function perform(job: ModelJob): Promise<Float32Array> {
    const problem = problemWith(job.model);
    if (problem) throw problem;
    clearTimeout(idle);
    child ??= startModels();
    const current = child;
    try {
      const answer = await answerOf(current, job, deadlineMs);
      if ("numbers" in answer) {
        hasAnswered.add(job.model);
        return answer.numbers;
      }
      const failure = noModel("It failed on this machine.", answer.problem);
      if (!answer.isLoaded) rest(job.model, failure);
      throw failure;
    } catch (error) {
      if (error instanceof Failure) throw error;
      if (child === current) dismiss();
      if (closed) throw noModel("The program is about to end.");
      const failure = noModel("The process that runs it ended, or took too long.", error);
      if (!hasAnswered.has(job.model)) rest(job.model, failure);
      throw failure;
    } finally {
      idle = setTimeout(dismiss, idleMs).unref();
    }
  }

  function rest(model: ModelName, failure: Failure): void {
    resting.set(model, { failure, until: performance.now() + idleMs });
  }

  function startModels(): ChildProcess {
    const given: ModelProcessOptions = {
      runtime: placeOf(library) ?? library,
      folder,
      threads: options.threads ?? someCores(),
    };
    const started = startChild([program, JSON.stringify(given)]);
    hasAnswered = new Set();
    const forget = () => {
      living.delete(started);
      if (child === started) child = undefined;
    };
    living.add(started);
    return started.on("exit", forget).on("error", forget);
  }

  function dismiss(): void {
    clearTimeout(idle);
    child?.kill("SIGKILL");
    child = undefined;
  }

  return {
    folder,
    problemWith,
    run: (job, how) => lanes.run(() => perform(job), how),
    async close() {
      closed = true;
      dismiss();
      await Promise.all([...living].map(ended));
    },
  };
}

/** The message is the one that the search shelf promises; the hint says what to do. */
function noModel(hint: string, cause?: unknown): Failure {
  return new Failure("unavailable", "no-model", "Model not loaded", { hints: [hint], cause });
}

/** Half of them, so that a server still answers; beyond four a text of this size gains nothing. */
const someCores = (): number => Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));

function placeOf(library: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(library);
  } catch {
    return undefined;
  }
}

function answerOf(child: ChildProcess, job: ModelJob, deadlineMs: number): Promise<ModelAnswer> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(deadline);
      child.off("message", hear).off("exit", lose).off("error", lose);
    };
    const lose = () => {
      finish();
      reject(new Error("The process gave no answer."));
    };
    const hear = (answer: ModelAnswer) => {
      finish();
      resolve(answer);
    };
    const deadline = setTimeout(lose, deadlineMs);
    child.on("message", hear).on("exit", lose).on("error", lose);
    // A child that cannot be sent to has ended or is about to, and says so by itself.
    child.send(job, () => undefined);
  });
}
