import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { decode } from "../../text/decoding.ts";
import { Failure } from "../failure.ts";
import { damaged, unreadable } from "./unreadable.ts";

/** The parts of a file that is a zip archive, by their names. */
export interface Archive {
  /** Every part in the archive's order; two may have one name, of which the last is read. */
  readonly parts: readonly ArchivePart[];
  /** Whether one part, or all of them together, claim to unpack to more than may be unpacked. */
  readonly isSwollen: boolean;
  has(name: string): boolean;
  /** Fails where the part is missing. */
  read(name: string): Promise<Uint8Array>;
  /** The part as text, `undefined` where it is missing. */
  text(name: string): Promise<string | undefined>;
  /** Writes the part to a file of the caller's choice. */
  save(name: string, file: Writable): Promise<void>;
}

interface ArchivePart {
  name: string;
  isLink: boolean;
}

const mostParts = 20_000;

/** Over all parts that are read; pictures are not, so this is text and its markup. */
const mostUnpacked = 64 * 1024 * 1024;

/**
 * Over all parts that are saved: recordings and pictures, which hardly pack at all. An archive that
 * unpacks to much more than its own size would fill a disk; a small one may do as it likes.
 */
const maxSaved = 4 * 1024 * 1024 * 1024;
const maxSavedRatio = 10;
const anySavedBelow = 64 * 1024 * 1024;

const savedBudget = (archiveSize: number): number =>
  Math.min(maxSaved, Math.max(anySavedBelow, archiveSize * maxSavedRatio));

/** Markup packs to a tenth, a very uniform table to a hundredth. Small parts may do as they like. */
const largestRatio = 200;
const anyRatioBelow = 8 * 1024 * 1024;

/** What an archive claims about its sizes is compared with what comes out while it comes out. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const { zip, entries } = await directoryOf(bytes).catch((error) => {
    throw error instanceof Failure ? error : damaged(error);
  });
  const byName = new Map(entries.map((entry) => [entry.fileName, entry]));
  const left = { toRead: mostUnpacked, toSave: savedBudget(bytes.length) };
  const claimed = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);

  async function* unpacked(name: string, budget: keyof typeof left): AsyncGenerator<Buffer> {
    const entry = byName.get(name);
    if (!entry) throw damaged();
    if (entry.isEncrypted()) throw unreadable("it is locked with a password");
    const most = Math.min(left[budget], mostOf(entry));
    if (entry.uncompressedSize > most) throw unpacksTooMuch();
    let [size, sum] = [0, 0];
    try {
      for await (const chunk of await zip.openReadStreamPromise(entry)) {
        size += chunk.length;
        if (size > most) throw unpacksTooMuch();
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof Failure ? error : damaged(error);
    }
    if (sum !== entry.crc32) throw damaged();
    left[budget] -= size;
  }

  async function read(name: string): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    for await (const chunk of unpacked(name, "toRead")) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  return {
    parts: entries.map((entry) => ({
      name: entry.fileName,
      isLink: isLink(entry),
    })),
    isSwollen:
      claimed > mostUnpacked + savedBudget(bytes.length) ||
      entries.some((entry) => entry.uncompressedSize > mostOf(entry)),
    has: (name) => byName.has(name),
    read,
    async text(name) {
      if (!byName.has(name)) return undefined;
      const text = decode(await read(name));
      if (text === undefined) throw damaged();
      return text;
    },
    save: (name, file) => pipeline(unpacked(name, "toSave"), file),
  };
}

/** Names that lead out of the archive are refused by the library, with an error of its own. */
async function directoryOf(bytes: Uint8Array): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true });
  if (zip.entryCount > mostParts) throw unpacksTooMuch();
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return { zip, entries };
}

const mostOf = ({ compressedSize }: Entry): number =>
  Math.max(anyRatioBelow, compressedSize * largestRatio);

/** Archives of Unix keep a file's mode in the upper half of these bits. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

const unpacksTooMuch = () => unreadable("it unpacks to far more than its size");
