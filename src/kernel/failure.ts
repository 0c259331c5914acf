/**
 * What can go wrong, as a closed list. Surfaces map a kind to their own numbers
 * (HTTP status, exit code, JSON-RPC code); nobody else knows those numbers.
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
 * A failure that an operation foresaw. The message is written for a stranger:
 * it names the field and the remedy, and holds no path outside the roots, no SQL and no stack.
 * `code` is the stable word of the shelf's specification.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly hints: readonly string[];
  /** What a caller needs as data where the work failed as a whole: each item's own result. */
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

  /** The message with its hints, as a reader of plain text sees them. */
  get explanation(): string {
    return [this.message, ...this.hints].join("\n");
  }
}

/** What happened, to stand at the end of another sentence. */
export const reasonOf = ({ message }: Failure): string => message.replace(/\.$/, "");

export const invalid = (message: string, hints: readonly string[] = []): Failure =>
  new Failure("invalid", "invalid-argument", message, { hints });

export const notFound = (message: string, hints: readonly string[] = []): Failure =>
  new Failure("not-found", "not-found", message, { hints });

/** The system refuses what a person may allow. */
export const noPermission = (message: string): Failure =>
  new Failure("forbidden", "no-permission", message, { hints: ["Look at its permissions."] });

/** The time of a call was over before its work was. */
export const outOfTime = (message: string): Failure =>
  new Failure("unavailable", "timeout", message, {
    hints: ["Ask for less, or set LECTERN_TOOL_TIMEOUT_MS to allow more."],
  });

/** What a look gives, or undefined where there is nothing to be found. */
export function ifThere<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Failure && error.kind === "not-found") return undefined;
    throw error;
  }
}
