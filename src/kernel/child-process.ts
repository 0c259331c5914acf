import type { ChildProcess } from "node:child_process";

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
