/** What was wrong with one request, worded to follow the name of the server. */
export class Trouble extends Error {
  readonly hint: string | undefined;
  /** After which time the server wants to be asked again. */
  readonly retryAfterMs: number | undefined;
  /** True where another request may well be answered. */
  readonly isOnlyThis: boolean;

  constructor(
    message: string,
    about: { hint?: string; retryAfterMs?: number; isOnlyThis?: boolean } = {},
  ) {
    super(message);
    this.hint = about.hint;
    this.retryAfterMs = about.retryAfterMs;
    this.isOnlyThis = about.isOnlyThis ?? false;
  }
}

/** For `read`: what was given instead of what was asked for. */
export const badAnswer = (what: string, hint?: string): Error =>
  new Trouble(`gave ${what}`, hint === undefined ? {} : { hint });

export function unreachable(error: unknown): Trouble {
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
  return new Trouble(`cannot be reached${code}`);
}

export function refusal({ status, headers }: Response, place: string, hasKey: boolean): Trouble {
  if (status === 401 || status === 403) {
    const hint = hasKey
      ? `Look at the environment variable that ${place}.key_from names.`
      : `Name the environment variable that holds a key in ${place}.key_from.`;
    return new Trouble(`did not accept our key (${status})`, { hint });
  }
  if (status === 404) {
    return new Trouble("knows no such model or path (404)", {
      hint: `Look at 'url' and 'model' in ${place}.`,
    });
  }
  if (status >= 300 && status < 400) {
    const hint = `Write the address that it leads to into ${place}.url.`;
    return new Trouble(`leads elsewhere, which is not followed (${status})`, { hint });
  }
  const asked = headers.get("retry-after");
  if (status === 429 || (status === 503 && asked !== null)) {
    const hint = "Ask again in a while.";
    return new Trouble(`is too busy (${status})`, { hint, retryAfterMs: waitAskedFor(asked) });
  }
  if (status >= 500) return new Trouble(`failed (${status})`);
  return new Trouble(`refused what it was asked (${status})`, { isOnlyThis: true });
}

/** Seconds, or the time of day. */
function waitAskedFor(header: string | null): number {
  if (header === null) return 1_000;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 1_000;
}
