import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { lineQueue } from "./wire.ts";

/** A server in a process of its own, with the ends of its pipes in a test's hands. */
export function startProcess(command: readonly string[], env: Record<string, string> = {}) {
  const [program = "", ...words] = command;
  const child = spawn(program, words, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const said = { stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin.on("error", () => {});
  return { child, said, ended: ended(child), ...lineQueue(child.stdout) };
}

/** How a process ended, once all that it said has been read. */
async function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const [code, signal] = await once(child, "close");
  return { code, signal };
}

/** Whether a process of this number is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether it has ended: it may stay as an entry until whoever inherited it takes note. */
export function hasEnded(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** The processes that a process has started, where the system tells of them. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== "linux") return [];
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

/** Waits until something holds, and fails loudly where it does not within a generous time. */
export async function until(holds: () => boolean, what: string, ms = 15_000): Promise<void> {
  for (const end = Date.now() + ms; !holds(); ) {
    if (Date.now() > end) throw new Error(`Still not so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
