import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../failure.ts";
import type { RemoteSettings } from "./configured.ts";
import { badAnswer, refusal, Trouble, unreachable } from "./endpoint-trouble.ts";

/** A server that runs a model for us, and that may be slow, busy, wrong or gone. */
export interface Endpoint {
  /** Whose it is, as people are told. */
  readonly host: string;
  /** Why it is not asked now; finding out sends nothing. */
  readonly problem: Failure | undefined;
  /**
   * Asks, and reads the answer by `read`, which throws what `badAnswer` makes of one that is of no
   * use. After a failure nobody is let through for a while.
   */
  post<Result>(
    path: string,
    body: object,
    read: (answer: unknown) => Result,
    how: Manner,
  ): Promise<Result>;
}

export interface Manner {
  /** What can wait has more time, and comes again where the server is too busy. */
  isPatient: boolean;
  signal?: AbortSignal | undefined;
}

export interface EndpointOptions {
  /** The part of the configuration that names it, such as `embedding`. */
  role: string;
  settings: Pick<RemoteSettings, "url" | "key_from">;
  environment: Readonly<Record<string, string | undefined>>;
  limits?: Partial<EndpointLimits>;
}

export interface EndpointLimits {
  /** How long somebody who waits for an answer is kept waiting. */
  queryMs: number;
  /** How long what can wait may take; a server may have to load its model first. */
  patientMs: number;
  /** How long a server that failed is left alone; one that is busy says so itself. */
  restMs: number;
  /** The longest wait that a busy server may ask for. */
  mostWaitMs: number;
  mostTries: number;
  /** No honest answer is longer. */
  mostBytes: number;
}

const usualLimits: EndpointLimits = {
  queryMs: 8_000,
  patientMs: 120_000,
  restMs: 10_000,
  mostWaitMs: 30_000,
  mostTries: 5,
  mostBytes: 32 * 1024 * 1024,
};

export function openEndpoint({
  role,
  settings,
  environment,
  ...options
}: EndpointOptions): Endpoint {
  const limits = { ...usualLimits, ...options.limits };
  const { host } = new URL(settings.url);
  const place = `models.${role}`;
  let resting: { failure: Failure; until: number; isBusy: boolean } | undefined;

  /** Words that a server sends are never passed on: some repeat the key that they were sent. */
  const failureOf = ({ message, hint }: Trouble): Failure =>
    new Failure("unavailable", "no-model", `The model at ${host} ${message}.`, {
      hints: [hint ?? `Look at ${place} in the configuration, and at that server.`],
    });

  function key(): string | undefined {
    return settings.key_from && environment[settings.key_from]?.trim();
  }

  function problemNow(): Failure | undefined {
    // The name is not repeated, since somebody may have written the key itself there.
    if (settings.key_from && !/^[\x21-\x7e]+$/.test(key() ?? "")) {
      const hint = `Set the environment variable that ${place}.key_from names.`;
      return failureOf(new Trouble("wants a key, and there is none", { hint }));
    }
    return resting && performance.now() < resting.until ? resting.failure : undefined;
  }

  async function request(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    const secret = key();
    const response = await fetch(`${settings.url.replace(/\/+$/, "")}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(secret && { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify(body),
      // Another host was not chosen by anybody, and would get the key.
      redirect: "manual",
      signal,
    });
    const text = await textWithin(response, limits.mostBytes);
    if (!response.ok) throw refusal(response, place, settings.key_from !== undefined);
    try {
      return JSON.parse(text);
    } catch {
      throw badAnswer("no JSON");
    }
  }

  return {
    host,
    get problem() {
      return problemNow();
    },
    async post(path, body, read, { isPatient, signal }) {
      const ms = isPatient ? limits.patientMs : limits.queryMs;
      for (let tries = 1; ; tries++) {
        if (isPatient && resting?.isBusy) {
          await pause(Math.max(resting.until - performance.now(), 0), undefined, { signal });
          resting = undefined;
        }
        const problem = problemNow();
        if (problem) throw problem;
        try {
          const result = read(await within(ms, signal, (limit) => request(path, body, limit)));
          resting = undefined;
          return result;
        } catch (error) {
          if (!(error instanceof Trouble)) throw error;
          const failure = failureOf(error);
          rest(failure, error);
          const isWorthATry = isPatient && error.retryAfterMs !== undefined;
          if (!isWorthATry || tries >= limits.mostTries) throw failure;
        }
      }
    },
  };

  function rest(failure: Failure, { retryAfterMs, isOnlyThis }: Trouble): void {
    if (isOnlyThis) return;
    const isBusy = retryAfterMs !== undefined;
    const ms = isBusy ? Math.min(retryAfterMs, limits.mostWaitMs) : limits.restMs;
    resting = { failure, until: performance.now() + ms, isBusy };
  }
}

/** The result of work that is given up after a while, or when its caller leaves. */
async function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const leave = () => limit.abort();
  const timer = setTimeout(leave, ms);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    signal?.throwIfAborted();
    return await work(limit.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.signal.aborted) throw new Trouble(`gave no answer within ${ms / 1_000} s`);
    // What `fetch` throws where there is no answer.
    throw error instanceof TypeError ? unreachable(error) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

async function textWithin(response: Response, mostBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    // Leaving the loop closes the connection.
    if (bytes > mostBytes) throw badAnswer(`more than ${Math.ceil(mostBytes / 1e6)} MB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
