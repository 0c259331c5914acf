import type { Actor } from "./call.ts";

/** What this process is busy with, for somebody who wonders why it is. */
export interface Running {
  /** Whoever begins a job says how far it has come, and when it has ended. */
  begin(what: string, by?: Actor): Job;
  /** Jobs that have lasted long enough to be told of, the oldest first. */
  list(): RunningJob[];
}

interface Job {
  progress(done: number, total?: number, message?: string): void;
  end(): void;
}

interface RunningJob {
  what: string;
  by?: Actor | undefined;
  /** When it began, in milliseconds since 1970. */
  since: number;
  done?: number | undefined;
  total?: number | undefined;
  message?: string | undefined;
}

/** What ends sooner is nothing to wonder about, and nobody is told of it. */
const worthTellingMs = 1_000;

/** Calls `onChange` when the list has changed, and once a second while a job goes on. */
export function openRunning(onChange: () => void, tellAfterMs = worthTellingMs): Running {
  const told = new Set<RunningJob>();
  return {
    begin(what, by) {
      const job: RunningJob = { what, by, since: Date.now() };
      let isNew = true;
      const timer = setInterval(() => {
        told.add(job);
        if (isNew) onChange();
        isNew = false;
      }, tellAfterMs).unref();
      return {
        progress(done, total, message) {
          Object.assign(job, { done, total, message });
          isNew = true;
        },
        end() {
          clearInterval(timer);
          if (told.delete(job)) onChange();
        },
      };
    },
    list: () => [...told].sort((a, b) => a.since - b.since),
  };
}
