import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { Failure } from "../../failure.ts";
import { damagedFile, unreadableFile } from "../file-errors.ts";

/** A zip archive whose entries are read by name. */
export interface ZipArchive {
  /** All entries in the order of the archive. If a name occurs twice, the last entry is read. */
  readonly entries: readonly ZipEntry[];
  /** Whether the declared size of one entry, or of all together, exceeds the limits. */
  readonly isZipBomb: boolean;
  has(name: string): boolean;
  /** Fails if the entry is missing. */
  read(name: string): Promise<Uint8Array>;
  /** The entry as text, `undefined` if it is missing. */
  readText(name: string): Promise<string | undefined>;
  /** Writes the unpacked entry to a stream. */
  save(name: string, file: Writable): Promise<void>;
}

interface ZipEntry {
  name: string;
  isLink: boolean;
}

const maxEntries = 20_000;

/** For all entries that are read. These are text and markup; images are never read. */
const maxUnpackedBytes = 64 * 1024 * 1024;

/**
 * For all entries that are saved: recordings and images, which barely compress. An archive that
 * unpacks to far more than its own size is a zip bomb. The ratio is not checked for small sizes.
 */
const maxSavedBytes = 4 * 1024 * 1024 * 1024;
const maxSavedRatio = 10;
const ratioFreeSavedBytes = 64 * 1024 * 1024;

const maxSavedBytesFor = (archiveSize: number): number =>
  Math.min(maxSavedBytes, Math.max(ratioFreeSavedBytes, archiveSize * maxSavedRatio));

/** Markup compresses 10:1, a very uniform table 100:1. The ratio is not checked for small entries. */
const maxRatio = 200;
const ratioFreeBytes = 8 * 1024 * 1024;

/** Opens an archive. Unpacking enforces the limits on the actual sizes, not on the declared ones. */
export async function openZip(bytes: Uint8Array): Promise<ZipArchive> {
  const { zip, entries } = await readDirectory(bytes).catch((error) => {
    throw error instanceof Failure ? error : damagedFile(error);
  });
  const byName = new Map(entries.map((entry) => [entry.fileName, entry]));
  const remaining = { toRead: maxUnpackedBytes, toSave: maxSavedBytesFor(bytes.length) };
  const declaredBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);

  async function* unpack(name: string, budget: keyof typeof remaining): AsyncGenerator<Buffer> {
    const entry = byName.get(name);
    if (!entry) throw damagedFile();
    if (entry.isEncrypted()) throw unreadableFile("it is password-protected");
    const limit = Math.min(remaining[budget], maxUnpackedSize(entry));
    if (entry.uncompressedSize > limit) throw unpacksTooMuch();
    let [size, sum] = [0, 0];
    try {
      for await (const chunk of await zip.openReadStreamPromise(entry)) {
        size += chunk.length;
        if (size > limit) throw unpacksTooMuch();
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof Failure ? error : damagedFile(error);
    }
    if (sum !== entry.crc32) throw damagedFile();
    remaining[budget] -= size;
  }

  async function read(name: string): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    for await (const chunk of unpack(name, "toRead")) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  return {
    entries: entries.map((entry) => ({
      name: entry.fileName,
      isLink: isLink(entry),
    })),
    isZipBomb:
      declaredBytes > maxUnpackedBytes + maxSavedBytesFor(bytes.length) ||
      entries.some((entry) => entry.uncompressedSize > maxUnpackedSize(entry)),
    has: (name) => byName.has(name),
    read,
    async readText(name) {
      if (!byName.has(name)) return undefined;
      const text = decodeText(await read(name));
      if (text === undefined) throw damagedFile();
      return text;
    },
    save: (name, file) => pipeline(unpack(name, "toSave"), file),
  };
}

/** The library rejects names that lead out of the archive (zip slip). */
async function readDirectory(bytes: Uint8Array): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true });
  if (zip.entryCount > maxEntries) throw unpacksTooMuch();
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return { zip, entries };
}

const maxUnpackedSize = ({ compressedSize }: Entry): number =>
  Math.max(ratioFreeBytes, compressedSize * maxRatio);

/** Unix archives store the file mode in the upper 16 bits. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

const unpacksTooMuch = () => unreadableFile("it unpacks to far more than its size");
