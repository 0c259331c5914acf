import type { Call } from "../../kernel/call.ts";

/** What long work needs of its call: when to stop, and where to tell how far it is. */
export type Telling = Pick<Call, "signal" | "progress">;

/**
 * One of several parts of long work. All are told as equally long, and each counts on from those
 * before it: progress never goes back, and the whole is the same from the beginning.
 */
export const partOf = (
  { signal, progress }: Telling,
  { part, parts, size }: { part: number; parts: number; size: number },
): Telling => ({
  signal,
  progress: (done, total = size, message) =>
    progress(part * size + Math.floor((size * done) / Math.max(total, 1)), parts * size, message),
});

/** Says in the caller's log how work ended; what was stopped is not complete. */
export const logEnd = (call: Pick<Call, "log">, work: string, isPartial: boolean): void =>
  call.log("info", `${work} ${isPartial ? "ended in part" : "completed"}`);
