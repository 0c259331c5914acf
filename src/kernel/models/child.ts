/**
 * The process that runs the models, one job after the other. A network keeps the thread that calls
 * it busy until it is done, and its library is native code: neither belongs into a server.
 */
import { loadGguf } from "./gguf-model.ts";
import type { ModelAnswer, ModelJob, ModelProcessOptions } from "./job.ts";
import { loadOnnx } from "./onnx-model.ts";
import type { RunningModel } from "./running-model.ts";

// The process that starts this one writes the options itself.
const options = JSON.parse(process.argv[2] ?? "") as ModelProcessOptions;

/** Each is loaded by its first job. */
const models = new Map<string, RunningModel>();

process.on("disconnect", () => process.exit());
process.on("message", async (job: ModelJob) => process.send?.(await answerTo(job)));

async function answerTo(job: ModelJob): Promise<ModelAnswer> {
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

function load({ model, task }: ModelJob): Promise<RunningModel> {
  if (model.format !== "onnx") return loadGguf(model);
  const { runtime, threads, urgentThreads } = options;
  return loadOnnx(model, { runtime, threads: task === "score" ? urgentThreads : threads });
}

function resultOf(job: ModelJob, model: RunningModel): Promise<Float32Array | string> {
  switch (job.task) {
    case "embed":
      return model.embed(job.texts);
    case "score":
      return model.score(job.query, job.passages);
    case "write":
      return model.write(job.system, job.prompt, job.mostTokens);
  }
}
