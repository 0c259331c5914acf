import { invalid } from "./failure.ts";
import type { LogLevel } from "./log.ts";
import type { Notice } from "./notices.ts";
import { openStop } from "./stop-signal.ts";

/** One call of an operation, as the operation sees it: never a request, a response or a flag. */
export interface Call {
  readonly id: string;
  /** Who calls, for the change log and for proposals. */
  readonly actor: Actor;
  /**
   * The connection that the call came by, so that callers can take turns. It is no name that a
   * client gives itself, and is neither shown nor kept.
   */
  readonly peer: string;
  /**
   * Aborted when the caller gave up or the time limit passed. A long loop looks at it and
   * returns what it has, marked `partial`.
   */
  readonly signal: AbortSignal;
  /** Tells how far long work has come; dropped where nobody asked. */
  progress(done: number, total?: number, message?: string): void;
  /** Names what changed. Notices go out once the call has ended, so after its commit. */
  announce(notice: Notice): void;
  /** A line for the caller's log; it also reaches ours. */
  log(level: LogLevel, message: string): void;
  /** Whether the client can pass on a question of this kind; where it cannot, `ask` ends the call. */
  canAsk(kind: Question["kind"]): boolean;
  /**
   * Asks the person or the model behind the client. The operation is run again from its start
   * when the answers are there, so everything before `ask` must be safe to repeat.
   * `memory` is handed back sealed, so a client cannot change it.
   */
  ask<Key extends string>(questions: Record<Key, Question>, memory?: unknown): Record<Key, Answer>;
  /** What the last `ask` of this call wanted to remember. */
  readonly memory: unknown;
  /** The answers that `ask` gives; kept so that a call can be continued in another process. */
  readonly answers?: Record<string, Answer> | undefined;
  /**
   * The proposal that a person accepts by this call: whoever records its first change, in whatever
   * process, settles the proposal with it. What a person changed in it is their own act.
   */
  readonly accepting?: {
    readonly proposal: number;
    readonly isEdited: boolean;
    readonly reason?: string | undefined;
    /** What is performed in the place of what was proposed. */
    readonly input?: Record<string, unknown> | undefined;
  };
  /**
   * The real path of the project that this call is bound to, because it applies a proposal or
   * undoes a change of that project. No change of another project can be recorded by it.
   */
  readonly project?: string;
  /** The change that a person undoes by this call; it is marked as undone like a proposal. */
  readonly undoing?: number;
  /** The credential of the client that started this process, if it has one. */
  readonly clientKey?: string;
  /** Set where a person agreed to what is done, and a client that they trust relayed their answer. */
  readonly relayed?: { readonly client: string; readonly trustedSince: string };
}

export interface Actor {
  /** The surface: `mcp`, `http`, `cli`, `web` or `test`. */
  readonly surface: string;
  /** The client's own name, where it gave one. */
  readonly client?: string;
}

/** Whether a person calls: at a shell, or on the page that carries the page's own credential. */
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

/** Thrown by `Call.ask` where answers are missing; `perform` turns it into an outcome. */
export class Asking extends Error {
  readonly questions: Record<string, Question>;
  readonly memory: unknown;

  constructor(questions: Record<string, Question>, memory: unknown) {
    super("The call waits for an answer.");
    this.questions = questions;
    this.memory = memory;
  }
}

/** What a surface says about a call when it makes one. Everything is optional but the actor. */
export interface CallOptions {
  actor: Actor;
  /** The surface, where nothing more is known of the connection. */
  peer?: string | undefined;
  signal?: AbortSignal;
  /** Milliseconds until the call is cut off; none for a person at a shell, who has Ctrl+C. */
  timeLimit?: number;
  onProgress?: (done: number, total: number | undefined, message: string | undefined) => void;
  onLog?: (level: LogLevel, message: string) => void;
  onNotice?: (notice: Notice) => void;
  canAsk?: (kind: Question["kind"]) => boolean;
  answers?: Record<string, Answer>;
  memory?: unknown;
  clientKey?: string | undefined;
}

/** A call as those see it who run it. */
export interface RunningCall extends Call {
  readonly timeLimit: number | undefined;
  /** To be called when the call has its answer. */
  release(): void;
}

export function makeCall(options: CallOptions): RunningCall {
  const { signal, release } = openStop(options.signal ? [options.signal] : [], options.timeLimit);
  return {
    id: newId(),
    actor: options.actor,
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
    ...(options.clientKey !== undefined && { clientKey: options.clientKey }),
    ask(questions, memory) {
      const answers = options.answers ?? {};
      for (const [key, question] of Object.entries<Question>(questions)) {
        const answer = answers[key];
        if (answer === undefined) throw new Asking(questions, memory);
        if (answer.kind !== question.kind) {
          throw invalid(`The answer '${key}' must be of the kind '${question.kind}'.`);
        }
      }
      return answers as ReturnType<Call["ask"]>;
    },
  };
}

/** Ids need only differ; a stronger source would cost 6 ms at every start. */
const newId = (): string => Date.now().toString(36) + Math.random().toString(36).slice(2, 12);
