import type { Call } from "../call.ts";
import { Failure, outOfTime } from "../failure.ts";
import type { Log } from "../log.ts";
import type { Channel } from "./channel.ts";
import {
  callFacts,
  type FromHost,
  packError,
  type Target,
  type ThrownError,
  type ToHost,
  unpackError,
} from "./message.ts";

/** Runs calls elsewhere, so that a call which blocks or ends its thread takes nothing with it. */
export interface Host {
  request(target: Target, input: unknown, call: Call): Promise<unknown>;
  /** Ends the host; calls that still wait fail. */
  close(): Promise<void>;
}

/** A running host, whatever it runs in. */
export interface HostConnection extends Channel<ToHost, FromHost> {
  /** Called when it has ended, by itself or because it was told to. */
  onEnd(listener: (why: HostEnd) => void): void;
  /** Ends it at once, even in the middle of a system call. */
  kill(): void;
}

type HostEnd = "gone" | "memory";

export interface HostOptions {
  /** Starts a host; called again by the next request after one has ended. */
  start(): HostConnection;
  /** How long a host may be silent while there is work, in milliseconds. */
  maxSilenceMs: number;
  /** Whether a call works on what the host keeps; see `Isolation`. */
  isAbout(kept: unknown, target: Target, input: unknown): boolean;
  log: Log;
  /** How long a host without work is kept; for ever where nothing is said. */
  idleMs?: number;
}

/** How often hosts with work are looked after. */
const tickMs = 500;
/** A call that is late by this much has its host ended, if that does not answer a ping either. */
const silentGraceMs = 2_000;
/** A call that is late by this much has its host ended in any case. */
const maxGraceMs = 10_000;
/** How long a new host may take to restore what the last one had. */
const maxRestoreMs = 10_000;
/** A host that ends so often before it has begun anything is not started again for the same call. */
const maxStarts = 3;

interface Pending {
  readonly message: ToHost & { kind: "request" };
  readonly call: Call & { timeLimit?: number | undefined };
  /** When the host began with it. */
  begunAt: number | undefined;
  starts: number;
  settle(outcome: { value: unknown } | { error: unknown }): void;
}

/**
 * Starts a host when the first request comes, ends it when a call exceeds its time limit or the host
 * stops answering, and starts another for what was waiting: a request that no host has begun is sent
 * again, one that was begun fails.
 */
export function openHost({ start, maxSilenceMs, isAbout, log, idleMs }: HostOptions): Host {
  const pending = new Map<number, Pending>();
  let connection: HostConnection | undefined;
  let ended: Promise<void> = Promise.resolve();
  let kept: { state: unknown; wasFatal: boolean } | undefined;
  let lastId = 0;
  let lastHeard = 0;
  let lastTick = 0;
  let ticking: NodeJS.Timeout | undefined;
  let idling: NodeJS.Timeout | undefined;
  let isLate = false;
  let isRestoring = false;
  let isClosed = false;

  function connected(): HostConnection {
    if (connection) return connection;
    const started = start();
    connection = started;
    isLate = false;
    lastHeard = performance.now();
    started.listen((message) => {
      if (connection === started) hear(message);
    });
    ended = new Promise((resolve) => {
      started.onEnd((why) => {
        resolve();
        if (connection === started) lose(why);
      });
    });
    isRestoring = kept !== undefined;
    if (kept) started.send({ kind: "restore", kept: kept.state, wasFatal: kept.wasFatal });
    return started;
  }

  function submit(one: Pending): void {
    one.starts++;
    try {
      connected().send(one.message);
    } catch (error) {
      one.settle({ error });
    }
  }

  function hear(message: FromHost): void {
    lastHeard = performance.now();
    if (message.kind === "restored") isRestoring = false;
    if (message.kind === "log") log(message.level, message.message, message.facts);
    if (!("id" in message)) return;
    const one = pending.get(message.id);
    if (message.kind === "answer" || message.kind === "error") {
      kept = message.kept === undefined ? undefined : { state: message.kept, wasFatal: false };
    }
    if (!one) return;
    if (message.kind === "begun") one.begunAt = performance.now();
    else if (message.kind === "progress") one.call.progress(...message.progress);
    else if (message.kind === "notice") one.call.announce(message.notice);
    else if (message.kind === "call-log") one.call.log(message.level, message.message);
    else if (message.kind === "answer") one.settle({ value: message.value });
    else one.settle({ error: thrownBy(message.error, one) });
  }

  /** The host has ended. */
  function lose(why: HostEnd): void {
    connection = undefined;
    const [begun, waiting] = split([...pending.values()], ({ begunAt }) => begunAt !== undefined);
    const isFatal =
      isRestoring ||
      begun.some(({ message: { target, input } }) => kept && isAbout(kept.state, target, input));
    if (kept && isFatal) kept = { ...kept, wasFatal: true };
    if (begun.length > 0 || isRestoring) {
      log("warn", "a host has ended while it worked", { why: isLate ? "late" : why });
    }
    const hints = kept?.wasFatal ? [closedHint] : [];
    for (const one of begun) one.settle({ error: lostBy(isLate ? "late" : why, one, hints) });
    for (const one of waiting) {
      if (one.starts < maxStarts && !isClosed) submit(one);
      else one.settle({ error: hostGone() });
    }
  }

  function tick(): void {
    const now = performance.now();
    // A process that itself stood still has not heard what the host said meanwhile.
    const wasStill = now - lastTick > 3 * tickMs;
    lastTick = now;
    if (!connection || wasStill) return;
    const silence = now - lastHeard;
    const lateness = Math.max(
      ...[...pending.values()].map(({ begunAt = now, call }) => {
        return now - begunAt - (call.timeLimit ?? Number.POSITIVE_INFINITY);
      }),
    );
    const isBlocked = lateness > silentGraceMs && silence > silentGraceMs;
    const maxSilence = isRestoring ? Math.min(maxRestoreMs, maxSilenceMs) : maxSilenceMs;
    if (isBlocked || lateness > maxGraceMs || silence > maxSilence) {
      isLate = true;
      connection.kill();
    } else connection.send({ kind: "ping" });
  }

  function watch(): void {
    clearTimeout(idling);
    if (ticking !== undefined) return;
    lastTick = performance.now();
    // What came in during this turn of the loop is heard before somebody is judged by it.
    ticking = setInterval(() => setImmediate(tick), tickMs);
  }

  function rest(): void {
    if (pending.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
    if (idleMs === undefined) return;
    clearTimeout(idling);
    idling = setTimeout(() => connection?.kill(), idleMs).unref();
  }

  return {
    request(target, input, call) {
      if (isClosed) return Promise.reject(hostGone());
      const id = ++lastId;
      const { signal } = call;
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          if (one.begunAt === undefined) one.settle({ error: signal.reason });
          else connection?.send({ kind: "abort", id, reason: packError(signal.reason) });
        };
        const one: Pending = {
          message: { kind: "request", id, target, input, call: callFacts(call) },
          call,
          begunAt: undefined,
          starts: 0,
          settle(outcome) {
            signal.removeEventListener("abort", abort);
            pending.delete(id);
            rest();
            if ("error" in outcome) reject(outcome.error);
            else resolve(outcome.value);
          },
        };
        pending.set(id, one);
        signal.addEventListener("abort", abort);
        watch();
        submit(one);
      });
    },
    async close() {
      isClosed = true;
      connection?.kill();
      await ended;
      clearInterval(ticking);
    },
  };
}

/** Work that ended by its signal throws the reason, which is known here by its identity. */
function thrownBy(packed: ThrownError, { call: { signal } }: Pending): unknown {
  const error = unpackError(packed);
  return signal.aborted && error instanceof DOMException ? signal.reason : error;
}

function split<One>(all: readonly One[], isFirst: (one: One) => boolean): [One[], One[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

const closedHint = "What it worked on was closed; open it again only if you trust the file.";

function lostBy(why: HostEnd | "late", { call }: Pending, hints: readonly string[]): Failure {
  if (why === "late") {
    const seconds = (call.timeLimit ?? 0) / 1_000;
    const failure = outOfTime(`Stopped after ${seconds} s.`);
    const { kind, code, message } = failure;
    return new Failure(kind, code, message, { hints: [...failure.hints, ...hints] });
  }
  if (why === "memory") {
    return new Failure("too-large", "too-large", "This takes more memory than it may.", { hints });
  }
  return hostGone();
}

const hostGone = (): Failure =>
  new Failure("unavailable", "host-ended", "The process that did this has ended.", {
    hints: ["Try again; if it ends again, the file may be damaged."],
  });
