import type { Call } from "../../kernel/call.ts";

/** The parts of a call that a long task uses: cancellation and progress. */
export type TaskContext = Pick<Call, "signal" | "progress">;

/**
 * The context of one of several parts of a long task. All parts count as equally long, and each
 * continues where the previous one ended, so that progress never decreases and the total is
 * constant.
 */
export const subtask = (
  { signal, progress }: TaskContext,
  { part, parts, size }: { part: number; parts: number; size: number },
): TaskContext => ({
  signal,
  progress: (done, total = size, message) =>
    progress(part * size + Math.floor((size * done) / Math.max(total, 1)), parts * size, message),
});

/** Logs for the caller whether a task was completed. */
export const logOutcome = (call: Pick<Call, "log">, work: string, isPartial: boolean): void =>
  call.log("info", `${work} ${isPartial ? "stopped early" : "completed"}`);
