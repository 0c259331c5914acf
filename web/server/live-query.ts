import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import { dataChanges } from "./server-events.ts";

/** The state of a query. The last answer stays until the next one arrives. */
export interface LiveQuery<Answer> {
  readonly answer: ReadonlySignal<Answer | undefined>;
  readonly failure: ReadonlySignal<string | undefined>;
  /** Repeats the request now. Resolves when an answer that was requested after this call is shown. */
  refresh(): Promise<void>;
}

/**
 * Repeats a request whenever the library or a signal that `sendRequest` reads changes, and drops
 * outdated answers. If `sendRequest` returns undefined, as for an empty search, there is no answer.
 * An expensive query can name a narrower signal of changes as `changeSignal`.
 */
export function createLiveQuery<Answer>(
  sendRequest: (signal: AbortSignal) => Promise<Answer> | undefined,
  changeSignal: ReadonlySignal<number> = dataChanges,
): LiveQuery<Answer> {
  const answer = signal<Answer | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const refreshes = signal(0);
  const waiting: (() => void)[] = [];
  effect(() => {
    void changeSignal.value;
    void refreshes.value;
    const controller = new AbortController();
    const settle = (value: Answer | undefined, problem?: string): void => {
      if (controller.signal.aborted) return;
      batch(() => {
        answer.value = value;
        failure.value = problem;
      });
      for (const resolve of waiting.splice(0)) resolve();
    };
    const request = sendRequest(controller.signal);
    if (!request) settle(undefined);
    request?.then(
      (value) => settle(value),
      (error: unknown) => settle(undefined, error instanceof Error ? error.message : String(error)),
    );
    return () => controller.abort();
  });
  const refresh = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      refreshes.value++;
    });
  return { answer, failure, refresh };
}
