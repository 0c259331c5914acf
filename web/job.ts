import { batch, signal } from "@preact/signals";
import type { Progress } from "./client.ts";

/** Long work that somebody began: how far it is, what came of it, and the way to stop it. */
export interface Job<Answer> {
  readonly progress: { value: Progress | undefined };
  readonly answer: { value: Answer | undefined };
  readonly failure: { value: string };
  begin(): void;
  stop(): void;
}

type Begun = { signal: AbortSignal; onProgress: (progress: Progress) => void };

/** The last answer stays while the next one is on its way; what was stopped says so. */
export function job<Answer>(run: (begun: Begun) => Promise<Answer>): Job<Answer> {
  const progress = signal<Progress | undefined>(undefined);
  const answer = signal<Answer | undefined>(undefined);
  const failure = signal("");
  let stopping: AbortController | undefined;

  async function begin(): Promise<void> {
    stopping?.abort();
    const mine = new AbortController();
    stopping = mine;
    const settle = (found: Answer | undefined, problem: string): void => {
      if (stopping !== mine) return;
      batch(() => {
        progress.value = undefined;
        if (found !== undefined) answer.value = found;
        failure.value = problem;
      });
    };
    batch(() => {
      progress.value = { done: 0 };
      failure.value = "";
    });
    try {
      const found = await run({
        signal: mine.signal,
        onProgress(now) {
          if (stopping === mine) progress.value = now;
        },
      });
      settle(found, "");
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      settle(undefined, mine.signal.aborted ? "Stopped." : words);
    }
  }

  return {
    progress,
    answer,
    failure,
    begin: () => void begin(),
    stop: () => stopping?.abort(),
  };
}
