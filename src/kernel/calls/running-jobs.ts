import type { Actor } from "../call.ts";

/** Lists the long-running jobs of this process. */
export interface RunningJobs {
  /** Registers a job. The handle reports its progress and must be ended. */
  begin(what: string, by?: Actor): JobHandle;
  /** Jobs that have run for longer than the reporting delay, oldest first. */
  list(): RunningJob[];
}

interface JobHandle {
  progress(done: number, total?: number, message?: string): void;
  end(): void;
}

interface RunningJob {
  what: string;
  by?: Actor | undefined;
  /** Start time, in milliseconds since 1970. */
  since: number;
  done?: number | undefined;
  total?: number | undefined;
  message?: string | undefined;
}

/** Shorter jobs are not reported. */
const minReportedMs = 1_000;

/**
 * Calls `onChange` when the list changes, and at most once per interval while a job makes progress.
 */
export function openRunningJobs(onChange: () => void, reportAfterMs = minReportedMs): RunningJobs {
  const reported = new Set<RunningJob>();
  return {
    begin(what, by) {
      const job: RunningJob = { what, by, since: Date.now() };
      let hasNews = true;
      const timer = setInterval(() => {
        reported.add(job);
        if (hasNews) onChange();
        hasNews = false;
      }, reportAfterMs).unref();
      return {
        progress(done, total, message) {
          Object.assign(job, { done, total, message });
          hasNews = true;
        },
        end() {
          clearInterval(timer);
          if (reported.delete(job)) onChange();
        },
      };
    },
    list: () => [...reported].sort((a, b) => a.since - b.since),
  };
}
