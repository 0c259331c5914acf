import { awaitReply, openSharedChild, startChild } from "../../processes/child-process.ts";
import type { ModelAnswer, ModelJob, ModelProcessOptions } from "./job.ts";

/** A child process that runs models. Its first job starts it, and an idle one ends after a while. */
export interface ModelProcess {
  /** Whether the running process has given a result of this model. */
  hasLoaded(model: string): boolean;
  /** The answer to a job; undefined if the process crashed or took too long. One job at a time. */
  run(model: string, job: ModelJob): Promise<ModelAnswer | undefined>;
  close(): Promise<void>;
}

interface ModelProcessSettings {
  program: string;
  options: () => ModelProcessOptions;
  deadlineMs: number;
  idleMs: number;
}

export function openModelProcess(settings: ModelProcessSettings): ModelProcess {
  const { program, options, deadlineMs, idleMs } = settings;
  const shared = openSharedChild(idleMs);
  let loaded = new Set<string>();

  return {
    hasLoaded: (model) => shared.running !== undefined && loaded.has(model),
    async run(model, job) {
      const child = shared.getOrStart(() => {
        loaded = new Set();
        return startChild([program, JSON.stringify(options())]);
      });
      const reply = await awaitReply(child, job, { deadlineMs }, (answer: ModelAnswer) => answer);
      if ("lost" in reply && shared.running === child) shared.kill();
      shared.release();
      if ("lost" in reply) return undefined;
      if ("result" in reply.answer) loaded.add(model);
      return reply.answer;
    },
    close: () => shared.close(),
  };
}
