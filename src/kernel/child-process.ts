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
export const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.ref();
    child.once("exit", () => resolve()).once("error", () => resolve());
  });
