import { ZipFile } from "yazl";

/** The earliest date of the format, used for all entries: the same content gives the same bytes. */
const zipEpoch = new Date(1980, 0, 1);

/** A zip archive with the given entries, in the same order. */
export function createZip(parts: Iterable<readonly [name: string, content: string | Uint8Array]>) {
  const zip = new ZipFile();
  for (const [name, content] of parts) {
    zip.addBuffer(Buffer.from(content), name, { mtime: zipEpoch, forceDosTimestamp: true });
  }
  zip.end();
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    zip.outputStream.on("data", (chunk: Buffer) => chunks.push(chunk));
    zip.outputStream.on("error", reject);
    zip.outputStream.on("end", () => resolve(Buffer.concat(chunks)));
  });
}
