import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process's current memory in bytes, or undefined if the system does not report it. */
export function residentMemoryOf(pid: number): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(path, "utf8"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** The number of its open files and sockets, or undefined if the system does not report it. */
export function handlesOf(pid: number): number | undefined {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : undefined;
}

/** An error if a process exceeds this many bytes. */
export function memoryLosses(pid: number, maxBytes: number): string[] {
  const bytes = residentMemoryOf(pid);
  if (bytes === undefined || bytes <= maxBytes) return [];
  return [`the server holds ${Math.round(bytes / 2 ** 20)} MiB in memory`];
}

/** The maximum number of open files of this process, or undefined if unknown. */
export function openFileLimit(): number | undefined {
  const path = "/proc/self/limits";
  if (!existsSync(path)) return undefined;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(path, "utf8"))?.[1];
  return limit === undefined ? undefined : Number(limit);
}
