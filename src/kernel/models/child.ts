/**
 * The child process that runs the models, one job at a time. Inference blocks the calling thread,
 * and its library is native code that may crash, so it must not run in the server's process.
 */
import { onParentExit } from "../processes/parent-exit.ts";
import { loadGgufModel } from "./local/gguf-model.ts";
import type { ModelAnswer, ModelJob, ModelProcessOptions } from "./local/job.ts";
import type { LoadedModel } from "./local/loaded-model.ts";
import { loadOnnxModel } from "./local/onnx-model.ts";

// Written by the parent process, so trusted.
const options = JSON.parse(process.argv[2] ?? "") as ModelProcessOptions;

/** Models are loaded by their first job. */
const models = new Map<string, LoadedModel>();

onParentExit(() => process.exit());
process.on("message", async (job: ModelJob) =>
  process.send?.((await runJob(job)) satisfies ModelAnswer),
);

async function runJob(job: ModelJob): Promise<ModelAnswer> {
  let isLoaded = false;
  try {
    const key = JSON.stringify(job.model);
    const model = models.get(key) ?? (await load(job));
    models.set(key, model);
    isLoaded = true;
    return { result: await resultOf(job, model) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), isLoaded };
  }
}

function load({ model, task }: ModelJob): Promise<LoadedModel> {
  if (model.format !== "onnx") return loadGgufModel(model);
  const { runtime, threads, urgentThreads } = options;
  const allowedThreads = task === "score" ? urgentThreads : threads;
  return loadOnnxModel(model, { runtime, threads: model.isSmall ? 1 : allowedThreads });
}

function resultOf(job: ModelJob, model: LoadedModel): Promise<Float32Array | string> {
  switch (job.task) {
    case "embed":
      return model.embed(job.texts);
    case "score":
      return model.score(job.query, job.passages);
    case "write":
      return model.generate(job.system, job.prompt, job.maxTokens);
  }
}
