import type { Call, Question } from "../call.ts";
import { Asking } from "../call.ts";
import { Failure, type FailureKind } from "../failure.ts";
import type { LogLevel } from "../log.ts";
import type { Notice } from "../notices.ts";

/** Which function of a shelf is called, or that files are to be taken in for all shelves. */
export type Target = { operation: string } | { lends: true } | { intake: true };

export type ToHost =
  /** Sent first to a host that replaces another: where the last one was. */
  | { kind: "restore"; kept: unknown; wasFatal: boolean }
  | { kind: "request"; id: number; target: Target; input: unknown; call: CallFacts }
  | { kind: "abort"; id: number; reason: ThrownError }
  | { kind: "ping" };

export type FromHost =
  /** From here on a request may have had effects, so it is never sent twice. */
  | { kind: "begun"; id: number }
  | { kind: "progress"; id: number; progress: Parameters<Call["progress"]> }
  | { kind: "notice"; id: number; notice: Notice }
  | { kind: "call-log"; id: number; level: LogLevel; message: string }
  | { kind: "answer"; id: number; value: unknown; kept: unknown }
  | { kind: "error"; id: number; error: ThrownError; kept: unknown }
  | { kind: "log"; level: LogLevel; message: string; facts: Record<string, unknown> }
  | { kind: "restored" }
  | { kind: "pong" };

/** Everything of a call that is plain data; functions are replaced by messages. */
export type CallFacts = Pick<Call, "id" | "actor" | "peer" | "memory" | "answers" | "accepting"> & {
  canAsk: Question["kind"][];
};

const questionKinds: readonly Question["kind"][] = ["form", "model", "roots"];

export function callFacts(call: Call): CallFacts {
  const plain = Object.entries(call).filter(
    ([, value]) => typeof value !== "function" && !(value instanceof AbortSignal),
  );
  return {
    ...(Object.fromEntries(plain) as Omit<CallFacts, "canAsk">),
    canAsk: questionKinds.filter((kind) => call.canAsk(kind)),
  };
}

/** Something that was thrown, as it travels: the receiver throws the same again. */
export type ThrownError =
  | {
      failure: FailureKind;
      code: string;
      message: string;
      hints: readonly string[];
      details: Record<string, unknown> | undefined;
      cause: ThrownError | undefined;
    }
  | { questions: Record<string, Question>; memory: unknown }
  | { name: string; message: string; stack: string | undefined; facts: Record<string, unknown> };

export function packError(error: unknown): ThrownError {
  if (error instanceof Failure) {
    const { kind, code, message, hints, details, cause } = error;
    const packed = cause === undefined ? undefined : packError(cause);
    return { failure: kind, code, message, hints, details, cause: packed };
  }
  if (error instanceof Asking) return { questions: error.questions, memory: error.memory };
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // The numbers of SQLite and of the system decide what a failure is called.
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  const facts = Object.fromEntries(
    Object.entries({ code, errcode }).filter(([, value]) =>
      ["string", "number"].includes(typeof value),
    ),
  );
  return { name, message, stack, facts };
}

export function unpackError(packed: ThrownError): Error {
  if ("failure" in packed) {
    const { failure, code, message, hints, details, cause } = packed;
    return new Failure(failure, code, message, {
      hints,
      ...(details && { details }),
      ...(cause && { cause: unpackError(cause) }),
    });
  }
  if ("questions" in packed) return new Asking(packed.questions, packed.memory);
  const { name, message, stack, facts } = packed;
  if (name === "AbortError" || name === "TimeoutError") return new DOMException(message, name);
  return Object.assign(new Error(message), { name, stack }, facts);
}
