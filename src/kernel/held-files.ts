import { statSync } from "node:fs";
import { Failure } from "./failure.ts";

/**
 * Files that a process has open. A deleted file still takes every write and loses it with the
 * process that wrote, so whoever acknowledges a write looks whether the file is where it was opened.
 */
export interface HeldFiles {
  /** False once one of them was removed, replaced, or is on a mount that has gone. */
  areInPlace(): boolean;
}

export function holdFiles(paths: readonly string[]): HeldFiles {
  const held = new Map<string, string>();
  const isInPlace = (path: string): boolean => {
    const [before, now] = [held.get(path), identityOf(path)];
    // One that is made later is held from then on.
    if (before === undefined && now !== none) held.set(path, now);
    return before === undefined || before === now;
  };
  const areInPlace = (): boolean => paths.every(isInPlace);
  areInPlace();
  return { areInPlace };
}

const none = "none";

/** Which file is at a path now: its device and inode, or `none`. */
export function identityOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat ? `${stat.dev}:${stat.ino}` : none;
  } catch {
    return none;
  }
}

export const homeGone = (): Failure =>
  new Failure(
    "unavailable",
    "home-gone",
    "The home was removed or replaced while this process ran, so nothing can be kept.",
    { hints: ["Bring the folder back if it was moved, then restart Lectern."] },
  );
