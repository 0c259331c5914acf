import { hostname } from "node:os";
import { hashOf, uniqueName } from "./hashing.ts";

/**
 * The name of something that exists only until it is finished. It tells on which machine and by
 * which process it was made, so that what a killed process left can be recognised and removed,
 * while another process's unfinished work is left alone.
 *
 *     .lectern-1f2e3d4c-4711-m2k9x0a1-8c6e….new
 */
export const temporaryName = (ending = ".new"): string =>
  `.lectern-${machine()}-${process.pid}-${startedAt()}-${uniqueName()}${ending}`;

const form = /^\.lectern-([0-9a-f]{8})-(\d+)-([0-9a-z]+)-[0-9a-f-]{36}\.[a-z]+$/;

/** Whether a name was given by `temporaryName` in a process of this machine that has ended. */
export function isAbandoned(name: string): boolean {
  const [, from, pid, start] = form.exec(name) ?? [];
  if (pid === undefined || from !== machine()) return false;
  // Process numbers are used again; in a container it is the same one after each restart.
  if (Number(pid) === process.pid) return start !== startedAt();
  return !isAlive(Number(pid));
}

const machine = (): string => hashOf(hostname()).slice(0, 8);

const startedAt = (): string => Math.round(performance.timeOrigin).toString(36);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
