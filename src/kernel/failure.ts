/**
 * The closed list of failure kinds. Each surface maps a kind to its own numbers (HTTP status, exit
 * code, JSON-RPC code); no other module knows those numbers.
 */
export const failureKinds = [
  "invalid",
  "forbidden",
  "not-found",
  "conflict",
  "too-large",
  "unavailable",
  "internal",
] as const;

export type FailureKind = (typeof failureKinds)[number];

/**
 * An expected failure. The message is written for a reader who does not know the program: it names
 * the field and the fix, and contains no path outside the roots, no SQL and no stack trace. `code`
 * is the stable error code of the shelf's specification.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly hints: readonly string[];
  /** Structured details, such as the result of each item of a batch that failed as a whole. */
  readonly details: Record<string, unknown> | undefined;

  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    options: {
      hints?: readonly string[];
      cause?: unknown;
      details?: Record<string, unknown>;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.kind = kind;
    this.code = code;
    this.hints = options.hints ?? [];
    this.details = options.details;
  }

  /** The message and its hints as plain text. */
  get explanation(): string {
    return [this.message, ...this.hints].join("\n");
  }
}

/** The message without its full stop, to be embedded in another sentence. */
export const failureReason = ({ message }: Failure): string => message.replace(/\.$/, "");

export const invalid = (message: string, hints: readonly string[] = []): Failure =>
  new Failure("invalid", "invalid-argument", message, { hints });

export const notFound = (message: string, hints: readonly string[] = []): Failure =>
  new Failure("not-found", "not-found", message, { hints });

/** The operating system denies access that the user could grant. */
export const noPermission = (message: string): Failure =>
  new Failure("forbidden", "no-permission", message, { hints: ["Check its permissions."] });

/** A call exceeded its time limit. */
export const timeoutFailure = (message: string): Failure =>
  new Failure("unavailable", "timeout", message, {
    hints: ["Ask for less, or set LECTERN_TOOL_TIMEOUT_MS to allow more."],
  });

/** The result of a lookup, or undefined if it fails with `not-found`. */
export function undefinedIfNotFound<Value>(lookUp: () => Value): Value | undefined {
  try {
    return lookUp();
  } catch (error) {
    if (error instanceof Failure && error.kind === "not-found") return undefined;
    throw error;
  }
}
