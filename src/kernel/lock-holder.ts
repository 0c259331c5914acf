import { readFileSync, statSync } from "node:fs";

/**
 * The process that holds a lock on one byte of a file, where the system tells. Linux lists all locks
 * of the machine; elsewhere, and for processes of another container, nobody is named.
 */
export function lockHolder(path: string, byte: number): number | undefined {
  try {
    const inode = String(statSync(path).ino);
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      // 3: POSIX  ADVISORY  WRITE 4711 fe:01:1234 120 120
      const [, , , kind, pid, place, first, last] = line.split(/\s+/);
      const isAt = place?.split(":")[2] === inode && holds(first, last, byte);
      if (kind === "WRITE" && isAt && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // There is no such list, or no such file.
  }
  return undefined;
}

const holds = (first: string | undefined, last: string | undefined, byte: number): boolean =>
  Number(first) <= byte && (last === "EOF" || byte <= Number(last));

/** Whether a process was stopped by a signal or a debugger, where the system tells. */
export function isStopped(pid: number): boolean {
  try {
    // 4711 (node) T 1 ...; the name may hold anything, brackets too.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^ [tT] /.test(stat.slice(stat.lastIndexOf(")") + 1));
  } catch {
    return false;
  }
}
