import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { visible } from "../../text/visible.ts";
import { hearOut, openSharedChild, startChild } from "../child-process.ts";
import { Failure } from "../failure.ts";
import { shippedModels } from "./bundled.ts";
import { llamaPackage } from "./gguf-model.ts";
import type {
  LocalModel,
  ModelAnswer,
  ModelJob,
  ModelProcessOptions,
  ModelTask,
  ResultOf,
} from "./job.ts";
import { makeLanes, type Urgency } from "./lanes.ts";

/** The models of this process, which all who need them share. */
export interface ModelRuntime {
  /** Where the models are that ship with the program. */
  readonly folder: string;
  /** Why a model cannot be run, as far as that shows without loading it. */
  problemWith(model: LocalModel): Failure | undefined;
  run<Task extends ModelTask>(model: LocalModel, task: Task, how: Urgency): Promise<ResultOf<Task>>;
  /** Ends the process; jobs that still wait fail. */
  close(): Promise<void>;
}

export interface ModelRuntimeOptions {
  /** Where the models are that ship with the program, and what runs any model. */
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
  const resting = new Map<string, { failure: Failure; until: number }>();
  const shared = openSharedChild(idleMs);
  let hasAnswered = new Set<string>();
  let closed = false;

  function problemWith(model: LocalModel): Failure | undefined {
    if (closed) return noModel("The program is about to end.");
    if (shared.running && hasAnswered.has(keyOf(model))) return undefined;
    const rest = resting.get(keyOf(model));
    if (rest && performance.now() < rest.until) return rest.failure;
    if (![program, ...filesIn(model)].every((file) => existsSync(file))) {
      return noModel(
        isOurs(model)
          ? "Its files are missing: install or build the program anew."
          : "Its files are not where the configuration says: look at 'path' in models.",
      );
    }
    const isGguf = model.format === "gguf";
    if (isGguf ? hasPackage(llamaPackage, program) : placeOf(library)) return undefined;
    const needed = isGguf ? llamaPackage : "onnxruntime-node";
    return noModel(`The library that runs it is missing: npm install ${needed}`);
  }

  async function perform(job: ModelJob): Promise<Float32Array | string> {
    const key = keyOf(job.model);
    const problem = problemWith(job.model);
    if (problem) throw problem;
    const child = shared.take(startModels);
    const heard = await hearOut(child, job, { deadlineMs }, (answer: ModelAnswer) => answer);
    if ("lost" in heard && shared.running === child) shared.dismiss();
    shared.rest();
    if ("lost" in heard) throw lossOf(key);
    const { answer } = heard;
    if ("result" in answer) {
      hasAnswered.add(key);
      return answer.result;
    }
    const failure = noModel(failureHint(job.model, answer.problem), answer.problem);
    if (!answer.isLoaded) rest(key, failure);
    throw failure;
  }

  function lossOf(model: string): Failure {
    if (closed) return noModel("The program is about to end.");
    const failure = noModel("The process that runs it ended, or took too long.");
    if (!hasAnswered.has(model)) rest(model, failure);
    return failure;
  }

  function rest(model: string, failure: Failure): void {
    resting.set(model, { failure, until: performance.now() + idleMs });
  }

  function startModels(): ChildProcess {
    const given: ModelProcessOptions = {
      runtime: placeOf(library) ?? library,
      threads: options.threads ?? usefulOf(availableParallelism() / 2),
      urgentThreads: options.threads ?? usefulOf(availableParallelism()),
    };
    hasAnswered = new Set();
    return startChild([program, JSON.stringify(given)]);
  }

  return {
    folder,
    problemWith,
    run: <Task extends ModelTask>(model: LocalModel, task: Task, how: Urgency) =>
      // The process answers each kind of task with its kind of result.
      lanes.run(() => perform({ model, ...task }) as Promise<ResultOf<Task>>, how),
    async close() {
      closed = true;
      await shared.close();
    },
  };
}

/** The message is the one that the search shelf promises; the hint says what to do. */
function noModel(hint: string, cause?: unknown): Failure {
  return new Failure("unavailable", "no-model", "Model not loaded", { hints: [hint], cause });
}

/** Beyond four, a text of this size gains nothing. What can wait leaves half of all to others. */
const usefulOf = (cores: number): number => Math.min(4, Math.max(1, Math.floor(cores)));

/** What is wrong with a model that people brought is theirs to know, but not where it lies. */
function failureHint(model: LocalModel, problem: string): string {
  if (isOurs(model)) return "It failed on this machine.";
  const folders = filesIn(model).map(dirname);
  const words = folders.reduce((text, folder) => text.replaceAll(folder, "…"), problem);
  return `It failed on this machine: ${visible(words).slice(0, 300)}`;
}

const isOurs = (model: LocalModel): boolean =>
  model.format === "onnx" && model.sha256 !== undefined;

const keyOf = (model: LocalModel): string => JSON.stringify(model);

const filesIn = (model: LocalModel): string[] =>
  model.format === "onnx" ? [model.network, model.tokenizer] : [model.file];

function placeOf(library: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(library);
  } catch {
    return undefined;
  }
}

/** Looked for where the program that runs models would find it; asking Node would load it. */
const hasPackage = (name: string, program: string): boolean =>
  (createRequire(program).resolve.paths(name) ?? []).some((folder) =>
    existsSync(join(folder, name, "package.json")),
  );
