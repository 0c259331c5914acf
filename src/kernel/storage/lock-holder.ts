import { readFileSync, statSync } from "node:fs";

/**
 * The process that holds a lock on one byte of a file, if the system reports it. Linux lists all
 * locks of the machine; elsewhere, and for processes of another container, the result is undefined.
 */
export function findLockHolder(path: string, byte: number): number | undefined {
  try {
    const inode = String(statSync(path).ino);
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      // 3: POSIX  ADVISORY  WRITE 4711 fe:01:1234 120 120
      const [, , , kind, pid, file, first, last] = line.split(/\s+/);
      const isMatch = file?.split(":")[2] === inode && coversByte(first, last, byte);
      if (kind === "WRITE" && isMatch && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // The system has no such list, or the file does not exist.
  }
  return undefined;
}

const coversByte = (first: string | undefined, last: string | undefined, byte: number): boolean =>
  Number(first) <= byte && (last === "EOF" || byte <= Number(last));

/** Whether a process was stopped by a signal or a debugger, if the system reports it. */
export function isProcessStopped(pid: number): boolean {
  try {
    // Format: 4711 (node) T 1 ...; the name may contain any character, including parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^ [tT] /.test(stat.slice(stat.lastIndexOf(")") + 1));
  } catch {
    return false;
  }
}
