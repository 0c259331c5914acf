import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../failure.ts";
import type { RemoteSettings } from "../model-settings.ts";
import { badResponse, EndpointError, responseError, unreachableError } from "./endpoint-errors.ts";

/** An HTTP server that runs a model. */
export interface Endpoint {
  /** The server's host, for messages. */
  readonly host: string;
  /** Why requests fail at the moment, if so. Reading it sends nothing. */
  readonly problem: Failure | undefined;
  /**
   * Sends a request and parses the answer with `read`, which throws `badResponse` for an invalid
   * one. After a failure, requests are rejected during a backoff.
   */
  post<Result>(
    path: string,
    body: object,
    read: (answer: unknown) => Result,
    options: EndpointRequestOptions,
  ): Promise<Result>;
}

export interface EndpointRequestOptions {
  /** Allows a longer timeout, and retries while the server is busy. */
  canWait: boolean;
  signal?: AbortSignal | undefined;
}

export interface EndpointOptions {
  /** The key of its settings in the configuration, such as `embedding`. */
  role: string;
  settings: Pick<RemoteSettings, "url" | "key_from">;
  environment: Readonly<Record<string, string | undefined>>;
  limits?: Partial<EndpointLimits>;
}

export interface EndpointLimits {
  /** Timeout of requests that a user waits for. */
  queryMs: number;
  /** Timeout of requests that can wait. A server may have to load its model first. */
  backgroundMs: number;
  /** Backoff after a failure. A busy server sets its own by Retry-After. */
  backoffMs: number;
  /** Limit of Retry-After. */
  maxRetryAfterMs: number;
  maxAttempts: number;
  /** Maximum size of an answer. */
  maxBytes: number;
}

const defaultLimits: EndpointLimits = {
  queryMs: 8_000,
  backgroundMs: 120_000,
  backoffMs: 10_000,
  maxRetryAfterMs: 30_000,
  maxAttempts: 5,
  maxBytes: 32 * 1024 * 1024,
};

export function openEndpoint({
  role,
  settings,
  environment,
  ...options
}: EndpointOptions): Endpoint {
  const limits = { ...defaultLimits, ...options.limits };
  const { host } = new URL(settings.url);
  const setting = `models.${role}`;
  let backoff: { failure: Failure; until: number; isBusy: boolean } | undefined;

  /** Never includes text from the server: some servers repeat the key in their errors. */
  const toFailure = ({ message, hint }: EndpointError): Failure =>
    new Failure("unavailable", "no-model", `The model at ${host} ${message}.`, {
      hints: [hint ?? `Check ${setting} in the configuration, and the server.`],
    });

  function key(): string | undefined {
    return settings.key_from && environment[settings.key_from]?.trim();
  }

  function currentProblem(): Failure | undefined {
    // The message does not contain the variable's name: it may be the key itself, by mistake.
    if (settings.key_from && !/^[\x21-\x7e]+$/.test(key() ?? "")) {
      const hint = `Set the environment variable that ${setting}.key_from names.`;
      return toFailure(new EndpointError("requires an API key, and none is set", { hint }));
    }
    return backoff && performance.now() < backoff.until ? backoff.failure : undefined;
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
      // A redirect would send the key to another host.
      redirect: "manual",
      signal,
    });
    const text = await readTextUpTo(response, limits.maxBytes);
    if (!response.ok) throw responseError(response, setting, settings.key_from !== undefined);
    try {
      return JSON.parse(text);
    } catch {
      throw badResponse("no JSON");
    }
  }

  return {
    host,
    get problem() {
      return currentProblem();
    },
    async post(path, body, read, { canWait, signal }) {
      const ms = canWait ? limits.backgroundMs : limits.queryMs;
      for (let tries = 1; ; tries++) {
        if (canWait && backoff?.isBusy) {
          await pause(Math.max(backoff.until - performance.now(), 0), undefined, { signal });
          backoff = undefined;
        }
        const problem = currentProblem();
        if (problem) throw problem;
        try {
          const result = read(await withTimeout(ms, signal, (limit) => request(path, body, limit)));
          backoff = undefined;
          return result;
        } catch (error) {
          if (!(error instanceof EndpointError)) throw error;
          const failure = toFailure(error);
          startBackoff(failure, error);
          const canRetry = canWait && error.retryAfterMs !== undefined;
          if (!canRetry || tries >= limits.maxAttempts) throw failure;
        }
      }
    },
  };

  function startBackoff(
    failure: Failure,
    { retryAfterMs, isRequestSpecific }: EndpointError,
  ): void {
    if (isRequestSpecific) return;
    const isBusy = retryAfterMs !== undefined;
    const ms = isBusy ? Math.min(retryAfterMs, limits.maxRetryAfterMs) : limits.backoffMs;
    backoff = { failure, until: performance.now() + ms, isBusy };
  }
}

/** Runs the work with a signal that aborts on timeout or when the caller's signal does. */
async function withTimeout<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, ms);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    signal?.throwIfAborted();
    return await work(limit.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.signal.aborted) throw new EndpointError(`did not answer within ${ms / 1_000} s`);
    // `fetch` throws a TypeError on network errors.
    throw error instanceof TypeError ? unreachableError(error) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function readTextUpTo(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw badResponse(`more than ${Math.ceil(maxBytes / 1e6)} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
