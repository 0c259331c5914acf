import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";

/**
 * Detects a truncated write-ahead log (WAL). SQLite treats it as an interrupted write and silently
 * ignores the rest. The index beside the log (`-shm`), which remains after a crash, records its
 * length. So a log that is shorter than its index says was damaged later.
 *
 * The index is read before and after the log: if another process is writing, the two readings
 * differ, or the log is at least as long as the index says.
 */
export function isWalDamaged(store: string): boolean {
  const [log, index] = [`${store}-wal`, `${store}-shm`];
  if (!existsSync(log) || !existsSync(index)) return false;
  const before = readIndexHeader(index);
  if (!before) return false;
  const frames = countValidFrames(readFileSync(log), before.salt);
  const after = readIndexHeader(index);
  return frames < before.frames && after !== undefined && after.bytes.equals(before.bytes);
}

interface IndexHeader {
  bytes: Buffer;
  /** The number of committed frames. */
  frames: number;
  /** The salt in every frame since the last reset of the log. */
  salt: Buffer;
}

const indexHeaderSize = 48;

/** The index contains two copies of its header, in the byte order of the machine. */
function readIndexHeader(path: string): IndexHeader | undefined {
  const both = Buffer.alloc(2 * indexHeaderSize);
  const fd = openSync(path, "r");
  try {
    if (readSync(fd, both, 0, both.length, 0) < both.length) return undefined;
  } finally {
    closeSync(fd);
  }
  const bytes = both.subarray(0, indexHeaderSize);
  const isInitialized = bytes[12] === 1 && bytes.equals(both.subarray(indexHeaderSize));
  if (!isInitialized) return undefined;
  const own = walChecksum(bytes.subarray(0, indexHeaderSize - 8), [0, 0], isLittleEndianMachine);
  if (!hasChecksum(bytes, indexHeaderSize - 8, own, isLittleEndianMachine)) return undefined;
  const frames = isLittleEndianMachine ? bytes.readUInt32LE(16) : bytes.readUInt32BE(16);
  return { bytes, frames, salt: bytes.subarray(32, 40) };
}

const isLittleEndianMachine = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const logHeaderSize = 32;
const frameHeaderSize = 24;

/** The number of frames from the start with correct checksums. */
function countValidFrames(log: Buffer, salt: Buffer): number {
  if (log.length < logHeaderSize || !log.subarray(16, 24).equals(salt)) return 0;
  // The last bit of the magic number gives the byte order of the checksums. They are stored
  // big-endian.
  const isLittle = (log.readUInt32BE(0) & 1) === 0;
  let sum = walChecksum(log.subarray(0, 24), [0, 0], isLittle);
  if (!hasChecksum(log, 24, sum, false)) return 0;
  const size = frameHeaderSize + log.readUInt32BE(8);
  let count = 0;
  for (let at = logHeaderSize; at + size <= log.length; at += size) {
    sum = walChecksum(log.subarray(at, at + 8), sum, isLittle);
    sum = walChecksum(log.subarray(at + frameHeaderSize, at + size), sum, isLittle);
    if (!log.subarray(at + 8, at + 16).equals(salt) || !hasChecksum(log, at + 16, sum, false))
      break;
    count++;
  }
  return count;
}

type WalChecksum = readonly [number, number];

/** SQLite's WAL checksum, over 32-bit words in pairs. */
function walChecksum(bytes: Buffer, [first, second]: WalChecksum, isLittle: boolean): WalChecksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [one, two] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + view.getUint32(at, isLittle) + two) >>> 0;
    two = (two + view.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return [one, two];
}

function hasChecksum(
  bytes: Buffer,
  at: number,
  [one, two]: WalChecksum,
  isLittle: boolean,
): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return view.getUint32(at, isLittle) === one && view.getUint32(at + 4, isLittle) === two;
}
