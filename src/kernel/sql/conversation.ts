import type { ChildProcess } from "node:child_process";
import type { SqlJob, SqlMessage, SqlOutcome } from "./job.ts";
import type { SqlPage } from "./set.ts";

/** What a child said to a job, or that it said nothing more. */
export interface Exchange {
  page: SqlPage | undefined;
  end: (SqlOutcome & { isSpent: boolean }) | { lost: "late" | "gone" };
}

/**
 * Sends a job and hears the child out. It fails only where the signal says so. While an answer is
 * awaited our process must not end; the deadline's timer sees to that.
 */
export function converse(
  child: ChildProcess,
  job: SqlJob,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let page: SqlPage | undefined;
    const finish = () => {
      clearTimeout(deadline);
      child.off("message", hear).off("exit", lose).off("error", lose);
      signal?.removeEventListener("abort", abort);
    };
    const end = (end: Exchange["end"]) => {
      finish();
      resolve({ page, end });
    };
    const lose = () => end({ lost: "gone" });
    const hear = (message: SqlMessage) => {
      if ("page" in message) page = message.page;
      else end(message);
    };
    const abort = () => {
      finish();
      reject(signal?.reason);
    };
    const deadline = setTimeout(() => end({ lost: "late" }), deadlineMs);
    child.on("message", hear).on("exit", lose).on("error", lose);
    signal?.addEventListener("abort", abort);
    // A child that cannot be sent to has ended or is about to, and says so by itself.
    child.send(job, () => undefined);
  });
}
