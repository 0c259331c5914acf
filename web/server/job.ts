import { batch, signal } from "@preact/signals";
import type { Progress } from "./client.ts";

/** A long-running job: its progress, its answer or failure, and the functions to start and stop it. */
export interface Job<Answer> {
  readonly progress: { value: Progress | undefined };
  readonly answer: { value: Answer | undefined };
  readonly failure: { value: string };
  begin(): void;
  stop(): void;
}

type JobContext = { signal: AbortSignal; onProgress: (progress: Progress) => void };

/** Creates a job. The last answer stays until the next one arrives. */
export function createJob<Answer>(run: (context: JobContext) => Promise<Answer>): Job<Answer> {
  const progress = signal<Progress | undefined>(undefined);
  const answer = signal<Answer | undefined>(undefined);
  const failure = signal("");
  let currentRun: AbortController | undefined;

  async function begin(): Promise<void> {
    currentRun?.abort();
    const controller = new AbortController();
    currentRun = controller;
    const settle = (result: Answer | undefined, problem: string): void => {
      if (currentRun !== controller) return;
      batch(() => {
        progress.value = undefined;
        if (result !== undefined) answer.value = result;
        failure.value = problem;
      });
    };
    batch(() => {
      progress.value = { done: 0 };
      failure.value = "";
    });
    try {
      const result = await run({
        signal: controller.signal,
        onProgress(latest) {
          if (currentRun === controller) progress.value = latest;
        },
      });
      settle(result, "");
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      settle(undefined, controller.signal.aborted ? "Stopped." : message);
    }
  }

  return {
    progress,
    answer,
    failure,
    begin: () => void begin(),
    stop: () => currentRun?.abort(),
  };
}
