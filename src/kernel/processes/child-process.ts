import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Starts a Node process for work that may crash, hang or use much memory. The child does not keep
 * this process alive. Its program must exit when the IPC channel closes, which also happens if this
 * process is killed. Its output is discarded, because stdout may carry a protocol.
 */
export function startChild(args: readonly string[]): ChildProcess {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const started = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "" },
    serialization: "advanced",
    windowsHide: true,
  });
  started.unref();
  started.channel?.unref();
  return started;
}

/**
 * The program file of a child, if it exists: beside the bundle, or in `dist` when running from
 * sources.
 */
export const findChildProgram = (name: string, override?: string): string | undefined =>
  (override ? [override] : [`./${name}`, `../../../dist/${name}`].map(resolveFromModule)).find(
    (path) => existsSync(path),
  );

const resolveFromModule = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The result of a job: the child's reply, or the reason it did not reply. */
export type Reply<Answer> = { answer: Answer } | ChildLost;

export interface ChildLost {
  lost: "late" | "gone" | "unstarted";
}

interface ReplyOptions {
  deadlineMs: number;
  /** Aborting it rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Sends a job and waits for the reply; `parseReply` returns undefined for messages that are not the
 * reply. The deadline's timer keeps this process alive while it waits.
 */
export function awaitReply<Message, Answer>(
  child: ChildProcess,
  job: object,
  { deadlineMs, signal }: ReplyOptions,
  parseReply: (message: Message) => Answer | undefined,
): Promise<Reply<Answer>> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(deadline);
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      signal?.removeEventListener("abort", abort);
    };
    const end = (reply: Reply<Answer>) => {
      finish();
      resolve(reply);
    };
    const onExit = () => end({ lost: "gone" });
    const onError = () => end({ lost: "unstarted" });
    const onMessage = (message: Message) => {
      const answer = parseReply(message);
      if (answer !== undefined) end({ answer });
    };
    const abort = () => {
      finish();
      reject(signal?.reason);
    };
    const deadline = setTimeout(() => end({ lost: "late" }), deadlineMs);
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
    signal?.addEventListener("abort", abort);
    // If sending fails, the child has ended or is about to, and its exit event follows.
    child.send(job, () => undefined);
  });
}

/** Waits for the exit of a child that was killed. */
const waitForExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.ref();
    child.once("exit", () => resolve()).once("error", () => resolve());
  });

/** A child that is started at its first use and then shared. */
export interface SharedChild {
  readonly running: ChildProcess | undefined;
  /** The running child, or a new one. It stays alive until `release` is called. */
  getOrStart(start: () => ChildProcess): ChildProcess;
  /** Marks the child as idle: it is killed after the idle time. */
  release(): void;
  /** Kills it; the next use starts another. */
  kill(): void;
  /** Kills it and waits until it and its predecessors have ended. */
  close(): Promise<void>;
}

export function openSharedChild(idleMs: number): SharedChild {
  const alive = new Set<ChildProcess>();
  let running: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function watchExit(started: ChildProcess): ChildProcess {
    // It may also exit while it is idle.
    const onExit = () => {
      alive.delete(started);
      if (running === started) running = undefined;
    };
    alive.add(started);
    return started.on("exit", onExit).on("error", onExit);
  }

  const shared: SharedChild = {
    get running() {
      return running;
    },
    getOrStart(start) {
      clearTimeout(idle);
      running ??= watchExit(start());
      return running;
    },
    release() {
      clearTimeout(idle);
      idle = setTimeout(shared.kill, idleMs).unref();
    },
    kill() {
      clearTimeout(idle);
      running?.kill("SIGKILL");
      running = undefined;
    },
    async close() {
      shared.kill();
      await Promise.all([...alive].map(waitForExit));
    },
  };
  return shared;
}
