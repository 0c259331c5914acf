import { existsSync, readdirSync, readFileSync } from "node:fs";

/** What a process holds in memory now, in bytes, or nothing where the system does not tell. */
export function residentOf(pid: number): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(path, "utf8"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** How many files and sockets it has open, or nothing where the system does not tell. */
export function handlesOf(pid: number): number | undefined {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : undefined;
}

/** A complaint where a process has grown beyond so many bytes. */
export function overgrown(pid: number, mostBytes: number): string[] {
  const bytes = residentOf(pid);
  if (bytes === undefined || bytes <= mostBytes) return [];
  return [`the server holds ${Math.round(bytes / 2 ** 20)} MiB in memory`];
}

/** How many files this process may have open, or nothing where the system does not tell. */
export function openFileLimit(): number | undefined {
  const path = "/proc/self/limits";
  if (!existsSync(path)) return undefined;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(path, "utf8"))?.[1];
  return limit === undefined ? undefined : Number(limit);
}
