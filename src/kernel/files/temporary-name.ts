import { hostname } from "node:os";
import { createUniqueName, sha256Hex } from "./hashes.ts";

/**
 * The name of an unfinished file. It contains the machine and the process, so that the files of
 * killed processes can be removed without affecting those of running ones.
 *
 * Example: `.lectern-1f2e3d4c-4711-m2k9x0a1-8c6e….new`
 */
export const temporaryName = (extension = ".new"): string =>
  `.lectern-${machineId()}-${process.pid}-${processStart()}-${createUniqueName()}${extension}`;

const namePattern = /^\.lectern-([0-9a-f]{8})-(\d+)-([0-9a-z]+)-[0-9a-f-]{36}\.[a-z]+$/;

/** Whether a name was created by `temporaryName` in a process of this machine that has ended. */
export function isAbandoned(name: string): boolean {
  const [, machine, pid, start] = namePattern.exec(name) ?? [];
  if (pid === undefined || machine !== machineId()) return false;
  // Process ids are reused; in a container the id is the same after each restart.
  if (Number(pid) === process.pid) return start !== processStart();
  return !isProcessAlive(Number(pid));
}

const machineId = (): string => sha256Hex(hostname()).slice(0, 8);

const processStart = (): string => Math.round(performance.timeOrigin).toString(36);

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
