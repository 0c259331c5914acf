import type { Call } from "../call.ts";
import { Failure, timeoutFailure } from "../failure.ts";
import type { Log } from "../runtime/log.ts";
import type { Channel } from "./channel.ts";
import {
  deserializeError,
  type FromHost,
  type RequestTarget,
  type SerializedError,
  serializeCall,
  serializeError,
  type ToHost,
} from "./messages.ts";

/**
 * Runs calls in another process or thread, so that a call that blocks or crashes it does not affect
 * the server.
 */
export interface Host {
  request(target: RequestTarget, input: unknown, call: Call): Promise<unknown>;
  /** Ends the host; pending calls fail. */
  close(): Promise<void>;
}

/** The connection to a running host. */
export interface HostConnection extends Channel<ToHost, FromHost> {
  /** Called when the host has exited or was killed. */
  onEnd(listener: (why: HostEnd) => void): void;
  /** Kills it immediately, even during a system call. */
  kill(): void;
}

type HostEnd = "gone" | "memory";

export interface HostOptions {
  /** Starts a host; called again for the next request after one has ended. */
  start(): HostConnection;
  /** Maximum time without a message while requests are pending, in milliseconds. */
  maxSilenceMs: number;
  /** Whether a call uses the host's saved state; see `Isolation`. */
  usesSavedState(state: unknown, target: RequestTarget, input: unknown): boolean;
  log: Log;
  /** How long an idle host is kept alive; forever if absent. */
  idleMs?: number;
}

/** How often hosts with pending requests are checked. */
const pollMs = 500;
/** A host is killed if a call is late by this much and the host does not answer pings. */
const silentGraceMs = 2_000;
/** A host is killed if a call is late by this much, even if it answers pings. */
const maxGraceMs = 10_000;
/** How long a new host may take to restore the state of the previous one. */
const maxRestoreMs = 10_000;
/** A request is not sent again after this many hosts ended before starting it. */
const maxStarts = 3;

interface PendingRequest {
  readonly message: ToHost & { kind: "request" };
  readonly call: Call & { timeLimit?: number | undefined };
  /** When the host started the request. */
  begunAt: number | undefined;
  starts: number;
  settle(outcome: { value: unknown } | { error: unknown }): void;
}

/**
 * Starts a host for the first request, kills it if a call exceeds its time limit or the host stops
 * responding, and starts another one for the remaining requests: those not yet started are sent
 * again, those that were started fail.
 */
export function openHost({ start, maxSilenceMs, usesSavedState, log, idleMs }: HostOptions): Host {
  const pending = new Map<number, PendingRequest>();
  let connection: HostConnection | undefined;
  let ended: Promise<void> = Promise.resolve();
  let savedState: { state: unknown; wasFatal: boolean } | undefined;
  let lastId = 0;
  let lastMessageAt = 0;
  let lastPollAt = 0;
  let pollTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isLate = false;
  let isRestoring = false;
  let isClosed = false;

  function ensureConnection(): HostConnection {
    if (connection) return connection;
    const started = start();
    connection = started;
    isLate = false;
    lastMessageAt = performance.now();
    started.listen((message) => {
      if (connection === started) onMessage(message);
    });
    ended = new Promise((resolve) => {
      started.onEnd((why) => {
        resolve();
        if (connection === started) onHostEnd(why);
      });
    });
    isRestoring = savedState !== undefined;
    if (savedState)
      started.send({ kind: "restore", saved: savedState.state, wasFatal: savedState.wasFatal });
    return started;
  }

  function submit(request: PendingRequest): void {
    request.starts++;
    try {
      ensureConnection().send(request.message);
    } catch (error) {
      request.settle({ error });
    }
  }

  function onMessage(message: FromHost): void {
    lastMessageAt = performance.now();
    if (message.kind === "restored") isRestoring = false;
    if (message.kind === "log") log(message.level, message.message, message.facts);
    if (!("id" in message)) return;
    const request = pending.get(message.id);
    if (message.kind === "answer" || message.kind === "error") {
      savedState =
        message.saved === undefined ? undefined : { state: message.saved, wasFatal: false };
    }
    if (!request) return;
    if (message.kind === "begun") request.begunAt = performance.now();
    else if (message.kind === "progress") request.call.progress(...message.progress);
    else if (message.kind === "notice") request.call.announce(message.notice);
    else if (message.kind === "call-log") request.call.log(message.level, message.message);
    else if (message.kind === "answer") request.settle({ value: message.value });
    else request.settle({ error: restoreThrown(message.error, request) });
  }

  function onHostEnd(why: HostEnd): void {
    connection = undefined;
    const [begun, waiting] = partition(
      [...pending.values()],
      ({ begunAt }) => begunAt !== undefined,
    );
    const isFatal =
      isRestoring ||
      begun.some(
        ({ message: { target, input } }) =>
          savedState && usesSavedState(savedState.state, target, input),
      );
    if (savedState && isFatal) savedState = { ...savedState, wasFatal: true };
    if (begun.length > 0 || isRestoring) {
      log("warn", "a host ended during a request", { why: isLate ? "late" : why });
    }
    const hints = savedState?.wasFatal ? [closedStateHint] : [];
    for (const request of begun)
      request.settle({ error: failureOfEnd(isLate ? "late" : why, request, hints) });
    for (const request of waiting) {
      if (request.starts < maxStarts && !isClosed) submit(request);
      else request.settle({ error: hostEnded() });
    }
  }

  function poll(): void {
    const now = performance.now();
    // After a suspend, the host's messages may not have been received yet.
    const wasSuspended = now - lastPollAt > 3 * pollMs;
    lastPollAt = now;
    if (!connection || wasSuspended) return;
    const silence = now - lastMessageAt;
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

  function startPolling(): void {
    clearTimeout(idleTimer);
    if (pollTimer !== undefined) return;
    lastPollAt = performance.now();
    // `setImmediate` lets messages of this event loop iteration arrive before the check.
    pollTimer = setInterval(() => setImmediate(poll), pollMs);
  }

  function stopPolling(): void {
    if (pending.size > 0) return;
    clearInterval(pollTimer);
    pollTimer = undefined;
    if (idleMs === undefined) return;
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => connection?.kill(), idleMs).unref();
  }

  return {
    request(target, input, call) {
      if (isClosed) return Promise.reject(hostEnded());
      const id = ++lastId;
      const { signal } = call;
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          if (request.begunAt === undefined) request.settle({ error: signal.reason });
          else connection?.send({ kind: "abort", id, reason: serializeError(signal.reason) });
        };
        const request: PendingRequest = {
          message: { kind: "request", id, target, input, call: serializeCall(call) },
          call,
          begunAt: undefined,
          starts: 0,
          settle(outcome) {
            signal.removeEventListener("abort", abort);
            pending.delete(id);
            stopPolling();
            if ("error" in outcome) reject(outcome.error);
            else resolve(outcome.value);
          },
        };
        pending.set(id, request);
        signal.addEventListener("abort", abort);
        startPolling();
        submit(request);
      });
    },
    async close() {
      isClosed = true;
      connection?.kill();
      await ended;
      clearInterval(pollTimer);
    },
  };
}

/** An aborted request throws the reason of its signal, which callers compare by identity. */
function restoreThrown(packed: SerializedError, { call: { signal } }: PendingRequest): unknown {
  const error = deserializeError(packed);
  return signal.aborted && error instanceof DOMException ? signal.reason : error;
}

function partition<Item>(all: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

const closedStateHint =
  "The file that it was using was closed; open it again only if you trust it.";

function failureOfEnd(
  why: HostEnd | "late",
  { call }: PendingRequest,
  hints: readonly string[],
): Failure {
  if (why === "late") {
    const seconds = (call.timeLimit ?? 0) / 1_000;
    const failure = timeoutFailure(`Stopped after ${seconds} s.`);
    const { kind, code, message } = failure;
    return new Failure(kind, code, message, { hints: [...failure.hints, ...hints] });
  }
  if (why === "memory") {
    return new Failure("too-large", "too-large", "This exceeds the memory limit.", { hints });
  }
  return hostEnded();
}

const hostEnded = (): Failure =>
  new Failure("unavailable", "host-ended", "The process that handled this request has ended.", {
    hints: ["Try again; if it ends again, the file may be damaged."],
  });
