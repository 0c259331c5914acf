import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";

/**
 * SQLite takes a log that breaks off for one whose last write was cut short, and forgets the rest in
 * silence. How far the log went stands in the index beside it, which a process that was stopped
 * leaves behind. So a log that is shorter than its index says was damaged afterwards.
 *
 * The index is read before and after the log: where another process is at work, one of its two
 * readings differs, or the log is at least as long as the index says.
 */
export function isLogDamaged(store: string): boolean {
  const [log, index] = [`${store}-wal`, `${store}-shm`];
  if (!existsSync(log) || !existsSync(index)) return false;
  const before = indexHead(index);
  if (!before) return false;
  const frames = wholeFrames(readFileSync(log), before.salt);
  const after = indexHead(index);
  return frames < before.frames && after !== undefined && after.bytes.equals(before.bytes);
}

interface IndexHead {
  bytes: Buffer;
  /** How many frames of the log are committed. */
  frames: number;
  /** What every frame of the log carries since it was last begun anew. */
  salt: Buffer;
}

const headSize = 48;

/** The index has its head twice, and is in the byte order of the machine. */
function indexHead(path: string): IndexHead | undefined {
  const both = Buffer.alloc(2 * headSize);
  const fd = openSync(path, "r");
  try {
    if (readSync(fd, both, 0, both.length, 0) < both.length) return undefined;
  } finally {
    closeSync(fd);
  }
  const bytes = both.subarray(0, headSize);
  const isMade = bytes[12] === 1 && bytes.equals(both.subarray(headSize));
  if (!isMade) return undefined;
  const own = sumOf(bytes.subarray(0, headSize - 8), [0, 0], machineIsLittle);
  if (!isSum(bytes, headSize - 8, own, machineIsLittle)) return undefined;
  const frames = machineIsLittle ? bytes.readUInt32LE(16) : bytes.readUInt32BE(16);
  return { bytes, frames, salt: bytes.subarray(32, 40) };
}

const machineIsLittle = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const logHead = 32;
const frameHead = 24;

/** How many frames from the beginning of a log have the sums that they must have. */
function wholeFrames(log: Buffer, salt: Buffer): number {
  if (log.length < logHead || !log.subarray(16, 24).equals(salt)) return 0;
  // The last bit of the first word tells in which byte order sums are made; they stand in one.
  const isLittle = (log.readUInt32BE(0) & 1) === 0;
  let sum = sumOf(log.subarray(0, 24), [0, 0], isLittle);
  if (!isSum(log, 24, sum, false)) return 0;
  const size = frameHead + log.readUInt32BE(8);
  let count = 0;
  for (let at = logHead; at + size <= log.length; at += size) {
    sum = sumOf(log.subarray(at, at + 8), sum, isLittle);
    sum = sumOf(log.subarray(at + frameHead, at + size), sum, isLittle);
    if (!log.subarray(at + 8, at + 16).equals(salt) || !isSum(log, at + 16, sum, false)) break;
    count++;
  }
  return count;
}

type Sum = readonly [number, number];

/** The sum that SQLite makes of its logs, over words of four bytes, two at a time. */
function sumOf(bytes: Buffer, [first, second]: Sum, isLittle: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [one, two] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + view.getUint32(at, isLittle) + two) >>> 0;
    two = (two + view.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return [one, two];
}

function isSum(bytes: Buffer, at: number, [one, two]: Sum, isLittle: boolean): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return view.getUint32(at, isLittle) === one && view.getUint32(at + 4, isLittle) === two;
}
