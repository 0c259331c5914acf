import { readFileSync, writeFileSync } from "node:fs";

/**
 * The heartbeat of the process that holds the lease. A stopped (SIGSTOP) process keeps its lock, so
 * the lock alone does not prove that the process is running. Missed beats are counted in polls and
 * not in time, because clocks can jump.
 */
export interface Heartbeat {
  /** To be called by the holder at each of its polls. */
  beat(): void;
  /**
   * Whether the holder has missed many beats. Called by the other processes at each of their polls.
   */
  isStalled(): boolean;
}

/** The holder writes only at every fourth poll, so a few polls without a beat are normal. */
const pollsPerBeat = 4;
const maxStalledPolls = 30;

export function openHeartbeat(path: string): Heartbeat {
  let beats = 0;
  let lastBeat: string | undefined;
  let stalledPolls = 0;
  return {
    beat() {
      if (beats++ % pollsPerBeat !== 0) return;
      try {
        writeFileSync(path, `${process.pid} ${beats}\n`, { mode: 0o600 });
      } catch {
        // Other modules report a home that cannot be written.
      }
    },
    isStalled() {
      const beat = readBeat(path);
      stalledPolls = beat !== undefined && beat === lastBeat ? stalledPolls + 1 : 0;
      lastBeat = beat;
      return stalledPolls >= maxStalledPolls;
    },
  };
}

/** The id of the process that wrote the last beat. */
export const readLastHolder = (path: string): number | undefined =>
  Number(readBeat(path)?.split(" ")[0]) || undefined;

function readBeat(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
