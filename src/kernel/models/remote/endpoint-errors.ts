/** The failure of a request. The message follows the server's name: "The model at … failed." */
export class EndpointError extends Error {
  readonly hint: string | undefined;
  /** The value of the Retry-After header. */
  readonly retryAfterMs: number | undefined;
  /** True if other requests may succeed, so that the server needs no backoff. */
  readonly isRequestSpecific: boolean;

  constructor(
    message: string,
    options: { hint?: string; retryAfterMs?: number; isRequestSpecific?: boolean } = {},
  ) {
    super(message);
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
    this.isRequestSpecific = options.isRequestSpecific ?? false;
  }
}

/** For the `read` callback of `Endpoint.post`: what the server returned instead of a valid answer. */
export const badResponse = (what: string, hint?: string): Error =>
  new EndpointError(`returned ${what}`, hint === undefined ? {} : { hint });

export function unreachableError(error: unknown): EndpointError {
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
  return new EndpointError(`cannot be reached${code}`);
}

export function responseError(
  { status, headers }: Response,
  setting: string,
  hasKey: boolean,
): EndpointError {
  if (status === 401 || status === 403) {
    const hint = hasKey
      ? `Check the environment variable that ${setting}.key_from names.`
      : `Set ${setting}.key_from to the name of an environment variable that holds a key.`;
    return new EndpointError(`did not accept the API key (${status})`, { hint });
  }
  if (status === 404) {
    return new EndpointError("has no such model or path (404)", {
      hint: `Check 'url' and 'model' in ${setting}.`,
    });
  }
  if (status >= 300 && status < 400) {
    const hint = `Set ${setting}.url to the URL that it redirects to.`;
    return new EndpointError(`redirects, which is not followed (${status})`, { hint });
  }
  const retryAfter = headers.get("retry-after");
  if (status === 429 || (status === 503 && retryAfter !== null)) {
    const hint = "Try again later.";
    return new EndpointError(`is too busy (${status})`, {
      hint,
      retryAfterMs: parseRetryAfterMs(retryAfter),
    });
  }
  if (status >= 500) return new EndpointError(`failed (${status})`);
  return new EndpointError(`rejected the request (${status})`, { isRequestSpecific: true });
}

/** The header contains seconds or an HTTP date. */
function parseRetryAfterMs(header: string | null): number {
  if (header === null) return 1_000;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 1_000;
}
