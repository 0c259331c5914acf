import { lstatSync, statSync } from "node:fs";
import { sha256Hex } from "./hashes.ts";

/** The current stat of a file. */
export interface ObservedFile {
  /** Differs whenever the content may differ, except for writes within one clock tick. */
  stamp: string;
  /** ctime in milliseconds: when its content or name last changed. */
  changed: number;
  /** mtime: when its content last changed. */
  modified: Date;
  /** Whether it is or has a link, so that it can change without an event in its folder. */
  hasOtherNames: boolean;
}

/** Undefined if the path is missing, not a file or not accessible. */
export function observeFile(path: string): ObservedFile | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    const { mtimeMs, ctimeMs, mtime: modified, size, ino, dev, nlink } = stat;
    const stamp = `${mtimeMs}:${ctimeMs}:${size}:${ino}:${dev}`;
    const hasOtherNames = nlink > 1 || lstatSync(path).isSymbolicLink();
    return { stamp, changed: ctimeMs, modified, hasOtherNames };
  } catch {
    return undefined;
  }
}

/** A parsed file, with the data that shows whether it must be read again. */
export interface CachedParse<Form> {
  stamp: string;
  /** Whether the file was older than the clock granularity when it was read. */
  isSettled: boolean;
  /** When it was read, by the system clock. */
  readAt: number;
  /** Hash of its bytes. */
  digest: string;
  parsed: Form;
}

/** Two writes within this many milliseconds may leave the same stamp. */
const maxClockGranularityMs = 2_000;

/**
 * Whether the stat alone proves that a file is unchanged. If the clock was set back, a later write
 * can have the same times; then the file must be read again.
 */
export const isUnchanged = (
  { stamp }: ObservedFile,
  before: CachedParse<unknown> | undefined,
  now = Date.now(),
): boolean => before?.stamp === stamp && before.isSettled && before.readAt <= now;

/** Parses the bytes, or reuses the previous result if they are equal. */
export function parseIfChanged<Form>(
  { stamp, changed }: ObservedFile,
  bytes: Buffer,
  before: CachedParse<Form> | undefined,
  parse: (bytes: Buffer) => Form,
): CachedParse<Form> {
  const readAt = Date.now();
  const isSettled = readAt - changed > maxClockGranularityMs;
  const digest = sha256Hex(bytes);
  const parsed = before?.digest === digest ? before.parsed : parse(bytes);
  return { stamp, isSettled, readAt, digest, parsed };
}
