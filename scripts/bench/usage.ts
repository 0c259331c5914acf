import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What the processes of a program have used by their end. */
export interface Usage {
  /** Milliseconds of all of them, in user and system. */
  cpu: number;
  /** Bytes that the largest of them held at most. */
  peak: number;
}

/** The environment that makes processes write down their usage, and what they wrote. */
export function openUsage(env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; read(): Usage } {
  const file = join(tmpdir(), `lectern-bench-usage-${randomUUID()}`);
  const preload = fileURLToPath(new URL("./usage.cjs", import.meta.url));
  const options = `${env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(preload)}`.trim();
  return {
    env: { ...env, NODE_OPTIONS: options, LECTERN_BENCH_USAGE: file },
    read() {
      const written = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
      rmSync(file, { force: true });
      // The lines come from `usage.cjs`, which writes nothing else.
      const all = written.map((line) => JSON.parse(line) as Usage);
      if (all.length === 0) throw new Error("No process wrote down what it used.");
      return {
        cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
        peak: Math.max(...all.map(({ peak }) => peak)),
      };
    },
  };
}

/**
 * Bytes that a process and its children have held at most, while they run; nothing where the system
 * does not tell. What is killed in the end cannot write it down itself.
 */
export function peakOfAll(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    // One that is about to end holds nothing any more.
    const own = Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    return children
      .split(" ")
      .filter((child) => child !== "")
      .reduce((sum, child) => sum + (peakOfAll(Number(child)) ?? 0), own);
  } catch {
    return undefined;
  }
}

/** Milliseconds of the processor that a running process has used; Linux counts them in hundredths. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
