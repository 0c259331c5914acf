import { ZipFile } from "yazl";

/** The same parts give the same bytes: the date that a zip archive cannot go behind. */
const noDate = new Date(1980, 0, 1);

/** A zip archive of parts by their names, in their order. */
export function packed(parts: Iterable<readonly [name: string, content: string | Uint8Array]>) {
  const zip = new ZipFile();
  for (const [name, content] of parts) {
    zip.addBuffer(Buffer.from(content), name, { mtime: noDate, forceDosTimestamp: true });
  }
  zip.end();
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    zip.outputStream.on("data", (chunk: Buffer) => chunks.push(chunk));
    zip.outputStream.on("error", reject);
    zip.outputStream.on("end", () => resolve(Buffer.concat(chunks)));
  });
}
