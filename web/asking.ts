import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import { changes } from "./live.ts";

/** What is known of a question: the last answer stays while the next one is on its way. */
export interface Asked<Answer> {
  readonly answer: ReadonlySignal<Answer | undefined>;
  readonly failure: ReadonlySignal<string | undefined>;
}

/**
 * Asks whenever the library or a signal that `question` reads has changed, and drops an answer
 * that was overtaken. A `question` without a request, such as an empty search, has no answer.
 * What is long to answer names the only changes that concern it.
 */
export function asking<Answer>(
  question: (signal: AbortSignal) => Promise<Answer> | undefined,
  concerning: ReadonlySignal<number> = changes,
): Asked<Answer> {
  const answer = signal<Answer | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  effect(() => {
    void concerning.value;
    const overtaken = new AbortController();
    const settle = (value: Answer | undefined, problem?: string): void => {
      if (overtaken.signal.aborted) return;
      batch(() => {
        answer.value = value;
        failure.value = problem;
      });
    };
    const request = question(overtaken.signal);
    if (!request) settle(undefined);
    request?.then(
      (value) => settle(value),
      (error: unknown) => settle(undefined, error instanceof Error ? error.message : String(error)),
    );
    return () => overtaken.abort();
  });
  return { answer, failure };
}
