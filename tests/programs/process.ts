import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { lineQueue } from "./wire.ts";

/** Starts a server process with piped streams. */
export function startProcess(command: readonly string[], env: Record<string, string> = {}) {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const output = { stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  child.stdin.on("error", () => {});
  return { child, output, ended: ended(child), ...lineQueue(child.stdout) };
}

/** The exit of a process, after all its output has been read. */
async function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const [code, signal] = await once(child, "close");
  return { code, signal };
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether it has ended: it may remain as a zombie until its parent reaps it. */
export function hasEnded(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** The child processes of a process, if the system reports them. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== "linux") return [];
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
        .split(" ")
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    // The process has ended.
    return [];
  }
}

/** The child processes of a process, their child processes, and so on. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

/** Waits until a condition holds, and throws after a generous timeout. */
export async function until(condition: () => boolean, what: string, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !condition(); ) {
    if (Date.now() > end) throw new Error(`Timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
