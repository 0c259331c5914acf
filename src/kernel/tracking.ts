import { type Call, type CallOptions, makeCall, type RunningCall } from "./call.ts";
import type { Clients } from "./clients.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Notice } from "./notices.ts";
import type { Outcome } from "./perform.ts";
import type { Running } from "./running.ts";

/** Runs what callers ask for, so that it can be counted, logged and told of. */
export interface Tracking {
  /**
   * Runs one call of any kind: counts it by its method, logs it by its id, and sends its notices
   * once it has ended.
   */
  tracked<Ended extends Outcome<unknown>>(
    method: string,
    what: string,
    options: CallOptions,
    work: (call: RunningCall) => Promise<Ended>,
  ): Promise<Ended>;
  /** The same for what has no call: a list is asked for and nothing else. */
  measured<Value>(method: string, work: () => Promise<Value>): Promise<Value>;
}

export interface TrackingParts {
  log: Log;
  metrics: Metrics;
  running: Running;
  clients: Clients;
  /** Sends what a call announced. */
  tell: (announced: readonly Notice[]) => void;
}

export function openTracking({ log, metrics, running, clients, tell }: TrackingParts): Tracking {
  return {
    async tracked(method, what, options, work) {
      const announced: Notice[] = [];
      clients.note(options.actor);
      const job = running.begin(what, options.actor);
      const call = makeCall({
        ...options,
        onProgress(...progress) {
          job.progress(...progress);
          options.onProgress?.(...progress);
        },
        onNotice: (notice) => announced.push(notice),
        onLog(level, message) {
          // A person at a shell has the answer itself before their eyes, and their log beside it.
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
      const took = performance.now() - started;
      if (announced.length > 0) tell(announced);
      metrics.note(method, took, outcome.ok || outcome.failure === undefined);
      reportCall(log, what, call, outcome, took);
      return outcome;
    },
    async measured(method, work) {
      const started = performance.now();
      let isWell = false;
      try {
        const value = await work();
        isWell = true;
        return value;
      } finally {
        metrics.note(method, performance.now() - started, isWell);
      }
    },
  };
}

/** One line a call. A person at a shell sees the answer itself and needs no line for it. */
function reportCall(log: Log, what: string, call: Call, outcome: Outcome<unknown>, ms: number) {
  const facts = { call: call.id, by: call.actor.surface, ms: Math.round(ms * 10) / 10 };
  const ended = outcome.ok ? "ok" : (outcome.failure?.code ?? "asks");
  log.trace("lectern:calls", () => `${what} ${JSON.stringify({ ...facts, outcome: ended })}`);
  const isForeseen = outcome.ok || outcome.failure?.kind !== "internal";
  if (!isForeseen) log("error", what, { ...facts, outcome: ended, cause: outcome.failure?.cause });
  else log(call.actor.surface === "cli" ? "debug" : "info", what, { ...facts, outcome: ended });
}
