import { lstatSync, statSync } from "node:fs";
import { hashOf } from "./hashing.ts";

/** A file as the file system shows it now. */
export interface SeenFile {
  /** Differs whenever the content may, save for writes within one tick of the clock. */
  stamp: string;
  /** In milliseconds: when its content or its name last changed. */
  changed: number;
  /** When its content last changed. */
  modified: Date;
  /** Whether it can be written to without its folder noticing: links of either sort. */
  hasOtherNames: boolean;
}

/** Undefined for what is gone, is no file or may not be looked at. */
export function lookAt(place: string): SeenFile | undefined {
  try {
    const stat = statSync(place, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    const { mtimeMs, ctimeMs, mtime: modified, size, ino, dev, nlink } = stat;
    const stamp = `${mtimeMs}:${ctimeMs}:${size}:${ino}:${dev}`;
    const hasOtherNames = nlink > 1 || lstatSync(place).isSymbolicLink();
    return { stamp, changed: ctimeMs, modified, hasOtherNames };
  } catch {
    return undefined;
  }
}

/** A file in the form that it was read into, with what tells whether it must be read again. */
export interface Reading<Form> {
  stamp: string;
  /** Whether it was older than the clock of a file system is coarse when it was read. */
  isSettled: boolean;
  /** By the machine's clock. */
  readAt: number;
  /** Of its bytes. */
  digest: string;
  form: Form;
}

/** In milliseconds: two writes within it can leave the same stamp. */
const coarsestClock = 2_000;

/**
 * Whether a look is enough to know that a file is as it was read. After the clock has gone back a
 * later write can leave the same times.
 */
export const isAsRead = (
  { stamp }: SeenFile,
  before: Reading<unknown> | undefined,
  now = Date.now(),
): boolean => before?.stamp === stamp && before.isSettled && before.readAt <= now;

/** Where the bytes are those of before, the form is the very same. */
export function readInto<Form>(
  { stamp, changed }: SeenFile,
  bytes: Buffer,
  before: Reading<Form> | undefined,
  make: (bytes: Buffer) => Form,
): Reading<Form> {
  const readAt = Date.now();
  const isSettled = readAt - changed > coarsestClock;
  const digest = hashOf(bytes);
  const form = before?.digest === digest ? before.form : make(bytes);
  return { stamp, isSettled, readAt, digest, form };
}
