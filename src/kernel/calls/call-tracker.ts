import { type Call, type CallOptions, createCall, type RunningCall } from "../call.ts";
import type { Notice } from "../notices/notices.ts";
import type { Log } from "../runtime/log.ts";
import type { ClientRegistry } from "./clients.ts";
import type { Metrics } from "./metrics.ts";
import type { Outcome } from "./perform.ts";
import type { RunningJobs } from "./running-jobs.ts";

/** Runs calls, counts and logs them, and sends their notices. */
export interface CallTracker {
  /**
   * Runs one call: counts it by method, logs it by id, and sends its notices after it has ended.
   */
  trackCall<Ended extends Outcome<unknown>>(
    method: string,
    what: string,
    options: CallOptions,
    work: (call: RunningCall) => Promise<Ended>,
  ): Promise<Ended>;
  /** Counts a request that is not a call, such as a list request. */
  measure<Value>(method: string, work: () => Promise<Value>): Promise<Value>;
}

export interface CallTrackerOptions {
  log: Log;
  metrics: Metrics;
  runningJobs: RunningJobs;
  clientRegistry: ClientRegistry;
  /** Sends the notices of a call. */
  sendNotices: (announced: readonly Notice[]) => void;
}

export function createCallTracker({
  log,
  metrics,
  runningJobs,
  clientRegistry,
  sendNotices,
}: CallTrackerOptions): CallTracker {
  return {
    async trackCall(method, what, options, work) {
      const announced: Notice[] = [];
      clientRegistry.recordCall(options.actor);
      const job = runningJobs.begin(what, options.actor);
      const call = createCall({
        ...options,
        onProgress(...progress) {
          job.progress(...progress);
          options.onProgress?.(...progress);
        },
        onNotice: (notice) => announced.push(notice),
        onLog(level, message) {
          // A user at a shell sees the result, so the log need not repeat it.
          const isAtShell = options.actor.surface === "cli";
          log(isAtShell ? "debug" : level, message, { call: call.id });
          options.onLog?.(isAtShell && level === "info" ? "debug" : level, message);
        },
      });
      const started = performance.now();
      const outcome = await work(call).finally(() => {
        job.end();
        call.release();
      });
      const durationMs = performance.now() - started;
      if (announced.length > 0) sendNotices(announced);
      metrics.record(method, durationMs, outcome.ok || outcome.failure === undefined);
      logCall(log, what, call, outcome, durationMs);
      return outcome;
    },
    async measure(method, work) {
      const started = performance.now();
      let hasSucceeded = false;
      try {
        const value = await work();
        hasSucceeded = true;
        return value;
      } finally {
        metrics.record(method, performance.now() - started, hasSucceeded);
      }
    },
  };
}

/** Logs one line per call; at debug level for a user at a shell, who sees the result. */
function logCall(log: Log, what: string, call: Call, outcome: Outcome<unknown>, ms: number) {
  const facts = { call: call.id, by: call.actor.surface, ms: Math.round(ms * 10) / 10 };
  const ended = outcome.ok ? "ok" : (outcome.failure?.code ?? "asks");
  log.trace("lectern:calls", () => `${what} ${JSON.stringify({ ...facts, outcome: ended })}`);
  const isExpected = outcome.ok || outcome.failure?.kind !== "internal";
  if (!isExpected) log("error", what, { ...facts, outcome: ended, cause: outcome.failure?.cause });
  else log(call.actor.surface === "cli" ? "debug" : "info", what, { ...facts, outcome: ended });
}
