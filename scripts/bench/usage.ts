import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The resource usage of all processes of a program. */
export interface Usage {
  /** Their total user and system time, in milliseconds. */
  cpu: number;
  /** The peak memory of the largest process, in bytes. */
  peak: number;
}

/** Returns an environment in which processes record their usage, and a function that reads it. */
export function openUsage(env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; read(): Usage } {
  const file = join(tmpdir(), `lectern-bench-usage-${randomUUID()}`);
  const preload = fileURLToPath(new URL("./usage.cjs", import.meta.url));
  const options = `${env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(preload)}`.trim();
  return {
    env: { ...env, NODE_OPTIONS: options, LECTERN_BENCH_USAGE: file },
    read() {
      const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
      rmSync(file, { force: true });
      // Only `usage.cjs` writes to this file.
      const all = lines.map((line) => JSON.parse(line) as Usage);
      if (all.length === 0) throw new Error("No process recorded its usage.");
      return {
        cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
        peak: Math.max(...all.map(({ peak }) => peak)),
      };
    },
  };
}

/**
 * The peak memory of a running process and its children, in bytes; undefined if the system does not
 * report it. For processes that are killed and cannot record their usage.
 */
export function peakOfAll(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    // An exiting process has no VmHWM.
    const ownPeak = Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    return children
      .split(" ")
      .filter((child) => child !== "")
      .reduce((sum, child) => sum + (peakOfAll(Number(child)) ?? 0), ownPeak);
  } catch {
    return undefined;
  }
}

/** The CPU time of a running process in milliseconds. Linux reports it in hundredths of a second. */
export function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
