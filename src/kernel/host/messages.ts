import type { Call, Question } from "../call.ts";
import { QuestionsPending } from "../call.ts";
import { Failure, type FailureKind } from "../failure.ts";
import type { Notice } from "../notices/notices.ts";
import type { LogLevel } from "../runtime/log.ts";

/** The requested function of a shelf, or the indexing of files for all shelves. */
export type RequestTarget = { operation: string } | { sqlTables: true } | { indexing: true };

export type ToHost =
  /** Sent first to a host that replaces another one, with its saved state. */
  | { kind: "restore"; saved: unknown; wasFatal: boolean }
  | { kind: "request"; id: number; target: RequestTarget; input: unknown; call: SerializedCall }
  | { kind: "abort"; id: number; reason: SerializedError }
  | { kind: "ping" };

export type FromHost =
  /** The request was started: it may have had effects, so it is never sent again. */
  | { kind: "begun"; id: number }
  | { kind: "progress"; id: number; progress: Parameters<Call["progress"]> }
  | { kind: "notice"; id: number; notice: Notice }
  | { kind: "call-log"; id: number; level: LogLevel; message: string }
  | { kind: "answer"; id: number; value: unknown; saved: unknown }
  | { kind: "error"; id: number; error: SerializedError; saved: unknown }
  | { kind: "log"; level: LogLevel; message: string; facts: Record<string, unknown> }
  | { kind: "restored" }
  | { kind: "pong" };

/** The plain data of a call; its functions are replaced by messages. */
export type SerializedCall = Pick<
  Call,
  "id" | "actor" | "sender" | "peer" | "memory" | "answers" | "accepting"
> & {
  canAsk: Question["kind"][];
};

const questionKinds: readonly Question["kind"][] = ["form", "model", "roots"];

export function serializeCall(call: Call): SerializedCall {
  const plain = Object.entries(call).filter(
    ([, value]) => typeof value !== "function" && !(value instanceof AbortSignal),
  );
  return {
    ...(Object.fromEntries(plain) as Omit<SerializedCall, "canAsk">),
    canAsk: questionKinds.filter((kind) => call.canAsk(kind)),
  };
}

/** A serialized exception, which the receiver deserializes and throws. */
export type SerializedError =
  | {
      failure: FailureKind;
      code: string;
      message: string;
      hints: readonly string[];
      details: Record<string, unknown> | undefined;
      cause: SerializedError | undefined;
    }
  | { questions: Record<string, Question>; memory: unknown }
  | { name: string; message: string; stack: string | undefined; facts: Record<string, unknown> };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof Failure) {
    const { kind, code, message, hints, details, cause } = error;
    const packed = cause === undefined ? undefined : serializeError(cause);
    return { failure: kind, code, message, hints, details, cause: packed };
  }
  if (error instanceof QuestionsPending)
    return { questions: error.questions, memory: error.memory };
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // The error codes of SQLite and of the system determine the resulting failure.
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  const facts = Object.fromEntries(
    Object.entries({ code, errcode }).filter(([, value]) =>
      ["string", "number"].includes(typeof value),
    ),
  );
  return { name, message, stack, facts };
}

export function deserializeError(packed: SerializedError): Error {
  if ("failure" in packed) {
    const { failure, code, message, hints, details, cause } = packed;
    return new Failure(failure, code, message, {
      hints,
      ...(details && { details }),
      ...(cause && { cause: deserializeError(cause) }),
    });
  }
  if ("questions" in packed) return new QuestionsPending(packed.questions, packed.memory);
  const { name, message, stack, facts } = packed;
  if (name === "AbortError" || name === "TimeoutError") return new DOMException(message, name);
  return Object.assign(new Error(message), { name, stack }, facts);
}
