import { type Entry, fromBufferPromise } from "yauzl";
import { decode } from "../../text/decoding.ts";
import { damaged, unreadable } from "./unreadable.ts";

/** The parts of a file that is a zip archive, by their names. Nothing is ever written to disk. */
export interface Archive {
  has(name: string): boolean;
  /** Fails where the part is missing. */
  read(name: string): Promise<Uint8Array>;
  /** The part as text, `undefined` where it is missing. */
  text(name: string): Promise<string | undefined>;
}

const mostParts = 20_000;

/** Over all parts that are read; pictures are not, so this is text and its markup. */
const mostUnpacked = 64 * 1024 * 1024;

/** Markup packs to a tenth, a very uniform table to a hundredth. Small parts may do as they like. */
const largestRatio = 200;
const anyRatioBelow = 8 * 1024 * 1024;

/** What an archive claims about its sizes is compared with what comes out while it comes out. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const parts = new Map<string, Entry>();
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
    lazyEntries: true,
  }).catch((error) => {
    throw damaged(error);
  });
  if (zip.entryCount > mostParts) throw unpacksTooMuch();
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry);
  let left = mostUnpacked;

  async function read(name: string): Promise<Uint8Array> {
    const entry = parts.get(name);
    if (!entry) throw damaged();
    if (entry.isEncrypted()) throw unreadable("it is locked with a password");
    const most = Math.min(left, Math.max(anyRatioBelow, entry.compressedSize * largestRatio));
    if (entry.uncompressedSize > most) throw unpacksTooMuch();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) throw unpacksTooMuch();
    }
    left -= size;
    return Buffer.concat(chunks);
  }

  return {
    has: (name) => parts.has(name),
    read,
    async text(name) {
      if (!parts.has(name)) return undefined;
      const text = decode(await read(name));
      if (text === undefined) throw damaged();
      return text;
    },
  };
}

const unpacksTooMuch = () => unreadable("it unpacks to far more than its size");
