import { readFileSync, writeFileSync } from "node:fs";

/**
 * Signs of life of the process that holds the lease. A process that is stopped keeps its lock, so
 * that nobody else could tell it from one that works. Signs are counted and never timed: clocks jump.
 */
export interface Heartbeat {
  /** Of the holder: says that it is alive. */
  beat(): void;
  /** Of everybody else, again and again: whether the holder has given no sign for many looks. */
  isStill(): boolean;
}

/** The holder writes at every fourth of its own looks, so a few missing ones mean nothing. */
const looksPerBeat = 4;
const maxStillLooks = 30;

export function openHeartbeat(path: string): Heartbeat {
  let beats = 0;
  let seen: string | undefined;
  let stillLooks = 0;
  return {
    beat() {
      if (beats++ % looksPerBeat !== 0) return;
      try {
        writeFileSync(path, `${process.pid} ${beats}\n`, { mode: 0o600 });
      } catch {
        // A home that cannot be written has other trouble, which others tell of.
      }
    },
    isStill() {
      const sign = signAt(path);
      stillLooks = sign !== undefined && sign === seen ? stillLooks + 1 : 0;
      seen = sign;
      return stillLooks >= maxStillLooks;
    },
  };
}

/** The process that gave the last sign of life. */
export const lastHolder = (path: string): number | undefined =>
  Number(signAt(path)?.split(" ")[0]) || undefined;

function signAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
