import { openStopSignal } from "./calls/stop-signal.ts";
import { invalid } from "./failure.ts";
import type { Notice } from "./notices/notices.ts";
import type { OutputBlock } from "./operations/output-block.ts";
import type { LogLevel } from "./runtime/log.ts";

/**
 * One call of an operation, independent of the surface (HTTP, MCP, command line) that received it.
 */
export interface Call {
  readonly id: string;
  /** The caller, recorded in the change log and in proposals. */
  readonly actor: Actor;
  /**
   * The user of this machine or the network address that sent the call; calls are scheduled fairly
   * between senders. Never a name that the client reported. It is neither displayed nor stored.
   */
  readonly sender: string;
  /**
   * The connection or session of the call; the connections of one sender are scheduled fairly too.
   */
  readonly peer: string;
  /**
   * Aborted when the caller cancels or the time limit passes. A long loop checks it and returns a
   * partial result marked `partial`.
   */
  readonly signal: AbortSignal;
  /** Reports progress; ignored if the client did not ask for progress. */
  progress(done: number, total?: number, message?: string): void;
  /**
   * Shows a part of the result before the operation ends, and waits until it is written. Set only
   * if the result is printed as text, as at a shell; the operation then leaves it out of its output.
   */
  readonly emit?: (blocks: readonly OutputBlock[]) => Promise<void>;
  /** Announces a change. Notices are sent when the call ends, after its commit. */
  announce(notice: Notice): void;
  /** Writes to the client's log and to the log of this process. */
  log(level: LogLevel, message: string): void;
  /** Whether the client can answer a question of this kind; if not, `ask` ends the call. */
  canAsk(kind: Question["kind"]): boolean;
  /**
   * Asks the user or the model of the client. The operation is run again from its start when the
   * answers arrive, so everything before `ask` must be safe to repeat. `memory` is returned to that
   * second run; it is signed, so a client cannot change it.
   */
  ask<Key extends string>(questions: Record<Key, Question>, memory?: unknown): Record<Key, Answer>;
  /** The `memory` of the last `ask` of this call. */
  readonly memory: unknown;
  /** The answers that `ask` returns; they let another process continue the call. */
  readonly answers?: Record<string, Answer> | undefined;
  /**
   * Set when this call performs an accepted proposal: recording the first change also settles the
   * proposal, in whichever process that happens.
   */
  readonly accepting?: {
    readonly proposal: number;
    readonly isEdited: boolean;
    readonly reason?: string | undefined;
    /** The input to perform instead of the proposed one. */
    readonly input?: Record<string, unknown> | undefined;
  };
  /**
   * The real path of the project whose proposal or undo this call performs. A change of another
   * project is rejected.
   */
  readonly project?: string;
  /** The change that this call undoes; it is marked as undone when the call records its change. */
  readonly undoing?: number;
  /** The key of the client that started this process, if it has one. */
  readonly clientKey?: string;
  /** Set if a trusted client relayed the user's consent. */
  readonly relayed?: { readonly client: string; readonly trustedSince: string };
}

export interface Actor {
  /** The surface: `mcp`, `http`, `cli`, `web` or `test`. */
  readonly surface: string;
  /** The name that the client reported. */
  readonly client?: string;
  /** Set for a REST call from a process of the server's own user, admitted without a credential. */
  readonly isOwnUser?: true;
}

/** Whether the caller is a person: at a shell, or on the web page with the page's credential. */
export const isPerson = ({ actor: { surface } }: Call): boolean =>
  surface === "web" || surface === "cli";

export type Question =
  | { kind: "form"; message: string; schema: Record<string, unknown> }
  | {
      kind: "model";
      messages: { role: "user" | "assistant"; text: string }[];
      maxTokens: number;
      system?: string;
    }
  | { kind: "roots" };

export type Answer =
  | { kind: "form"; action: "accept" | "decline" | "cancel"; content: Record<string, unknown> }
  | { kind: "model"; text: string }
  | { kind: "roots"; roots: { uri: string; name?: string }[] };

/** Thrown by `Call.ask` if answers are missing; `perform` turns it into an outcome. */
export class QuestionsPending extends Error {
  readonly questions: Record<string, Question>;
  readonly memory: unknown;

  constructor(questions: Record<string, Question>, memory: unknown) {
    super("The call waits for an answer.");
    this.questions = questions;
    this.memory = memory;
  }
}

/** What a surface provides for a call. Only the actor is required. */
export interface CallOptions {
  actor: Actor;
  /** Default: the name of the surface. */
  sender?: string | undefined;
  peer?: string | undefined;
  signal?: AbortSignal;
  /**
   * Milliseconds until the call is stopped. Commands have no limit, because the user can press
   * Ctrl+C.
   */
  timeLimit?: number;
  onProgress?: (done: number, total: number | undefined, message: string | undefined) => void;
  onLog?: (level: LogLevel, message: string) => void;
  onNotice?: (notice: Notice) => void;
  onPart?: (blocks: readonly OutputBlock[]) => Promise<void>;
  canAsk?: (kind: Question["kind"]) => boolean;
  answers?: Record<string, Answer>;
  memory?: unknown;
  clientKey?: string | undefined;
}

/** A call with the members that only its runner uses. */
export interface RunningCall extends Call {
  readonly timeLimit: number | undefined;
  /** Must be called when the call has ended. */
  release(): void;
}

export function createCall(options: CallOptions): RunningCall {
  const { signal, release } = openStopSignal(
    options.signal ? [options.signal] : [],
    options.timeLimit,
  );
  return {
    id: createCallId(),
    actor: options.actor,
    sender: options.sender ?? options.actor.surface,
    peer: options.peer ?? options.actor.surface,
    timeLimit: options.timeLimit,
    signal,
    release,
    progress: (done, total, message) => options.onProgress?.(done, total, message),
    announce: (notice) => options.onNotice?.(notice),
    log: (level, message) => options.onLog?.(level, message),
    canAsk: (kind) => options.canAsk?.(kind) ?? false,
    memory: options.memory,
    answers: options.answers,
    ...(options.onPart && { emit: options.onPart }),
    ...(options.clientKey !== undefined && { clientKey: options.clientKey }),
    ask(questions, memory) {
      const answers = options.answers ?? {};
      for (const [key, question] of Object.entries<Question>(questions)) {
        const answer = answers[key];
        if (answer === undefined) throw new QuestionsPending(questions, memory);
        if (answer.kind !== question.kind) {
          throw invalid(`The answer '${key}' must be of the kind '${question.kind}'.`);
        }
      }
      return answers as ReturnType<Call["ask"]>;
    },
  };
}

/** Ids only have to be unique; loading `node:crypto` would cost 6 ms at every start. */
const createCallId = (): string =>
  Date.now().toString(36) + Math.random().toString(36).slice(2, 12);
