import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Starts Node once more for work that may crash, hang or take much memory. The child keeps nobody
 * alive and ends when our end of its channel closes, so also when we are killed; its program sees to
 * that. What it prints is nobody's business: standard output may be a protocol.
 */
export function startChild(words: readonly string[]): ChildProcess {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const started = spawn(process.execPath, words, {
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
 * The file that a child runs, where there is one: beside the program's own bundle or, while the
 * sources are run, where the build puts it.
 */
export const childProgram = (name: string, given?: string): string | undefined =>
  (given ? [given] : [`./${name}`, `../../dist/${name}`].map(besideUs)).find((place) =>
    existsSync(place),
  );

const besideUs = (place: string): string => fileURLToPath(new URL(place, import.meta.url));

/** What came of a job: the child's last word, or why there was none. */
export type Heard<Answer> = { answer: Answer } | Lost;

export interface Lost {
  lost: "late" | "gone" | "unstarted";
}

interface Hearing {
  deadlineMs: number;
  /** Whoever gives up before that is answered with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Sends a job and hears the child out; `lastWord` is asked of each message, and gives the answer
 * when nothing comes after it. While an answer is awaited our process must not end; the deadline's
 * timer sees to that.
 */
export function hearOut<Message, Answer>(
  child: ChildProcess,
  job: object,
  { deadlineMs, signal }: Hearing,
  lastWord: (message: Message) => Answer | undefined,
): Promise<Heard<Answer>> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(deadline);
      child.off("message", hear).off("exit", lose).off("error", miss);
      signal?.removeEventListener("abort", abort);
    };
    const end = (heard: Heard<Answer>) => {
      finish();
      resolve(heard);
    };
    const lose = () => end({ lost: "gone" });
    const miss = () => end({ lost: "unstarted" });
    const hear = (message: Message) => {
      const answer = lastWord(message);
      if (answer !== undefined) end({ answer });
    };
    const abort = () => {
      finish();
      reject(signal?.reason);
    };
    const deadline = setTimeout(() => end({ lost: "late" }), deadlineMs);
    child.on("message", hear).on("exit", lose).on("error", miss);
    signal?.addEventListener("abort", abort);
    // A child that cannot be sent to has ended or is about to, and says so by itself.
    child.send(job, () => undefined);
  });
}

/** Waits for the end of a child that was told to end. */
const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.ref();
    child.once("exit", () => resolve()).once("error", () => resolve());
  });

/** A child that is started by the first who needs it, and that all who come later share. */
export interface SharedChild {
  readonly running: ChildProcess | undefined;
  /** The running one, or a new one. It stays until `rest` is called. */
  take(start: () => ChildProcess): ChildProcess;
  /** There is nothing to do for now: without work it ends after a while. */
  rest(): void;
  /** Kills it; who comes next gets another. */
  dismiss(): void;
  /** Kills it and waits until it and all before it have ended. */
  close(): Promise<void>;
}

export function openSharedChild(idleMs: number): SharedChild {
  const living = new Set<ChildProcess>();
  let running: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function watched(started: ChildProcess): ChildProcess {
    // It may also end between two jobs, when nobody waits for it.
    const forget = () => {
      living.delete(started);
      if (running === started) running = undefined;
    };
    living.add(started);
    return started.on("exit", forget).on("error", forget);
  }

  const shared: SharedChild = {
    get running() {
      return running;
    },
    take(start) {
      clearTimeout(idle);
      running ??= watched(start());
      return running;
    },
    rest() {
      clearTimeout(idle);
      idle = setTimeout(shared.dismiss, idleMs).unref();
    },
    dismiss() {
      clearTimeout(idle);
      running?.kill("SIGKILL");
      running = undefined;
    },
    async close() {
      shared.dismiss();
      await Promise.all([...living].map(ended));
    },
  };
  return shared;
}
