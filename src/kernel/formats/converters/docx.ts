import mammoth from "mammoth";
import { elementText, findElements, parseXml } from "../containers/xml.ts";
import { openZip, type ZipArchive } from "../containers/zip-reader.ts";
import { damagedFile, unreadableFile } from "../file-errors.ts";
import type { OutputStyle } from "../format.ts";
import { parseHtml } from "./html-page.ts";
import { htmlElementToText } from "./html-to-text.ts";
import { hasHeading, withTitle } from "./markdown-text.ts";

const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/** A Word document: its headings, paragraphs, lists, tables and notes. */
export async function docxToText(bytes: Uint8Array, style: OutputStyle): Promise<string> {
  if (isEncrypted(bytes)) throw unreadableFile("it is password-protected");
  const archive = await openZip(bytes);
  const withoutImages = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth.convertToHtml(toMammothInput(archive), {
    styleMap,
    includeEmbeddedStyleMap: false,
    convertImage: withoutImages,
  });
  const page = parseHtml(value);
  // The library adds links from the notes back to the text.
  for (const link of page.querySelectorAll("a[href^='#']")) {
    if (link.textContent === "↑") link.remove();
  }
  const text = htmlElementToText(page.documentElement, style);
  if (style === "words" || hasHeading(text)) return text;
  const properties = await archive.readText("docProps/core.xml");
  const [title] = properties ? findElements(parseXml(properties), "dc:title") : [];
  return withTitle(text, elementText(title));
}

/** An encrypted document is an OLE compound file with an `EncryptedPackage` stream. */
function isEncrypted(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isContainer = buffer.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));
  return isContainer && buffer.includes(Buffer.from("EncryptedPackage", "utf16le"));
}

/** Makes the library read through `ZipArchive`, which limits the unpacked size. */
function toMammothInput(archive: ZipArchive): Parameters<typeof mammoth.convertToHtml>[0] {
  const file = {
    exists: archive.has,
    async read(name: string) {
      const text = await archive.readText(name);
      // The format does not allow a DOCTYPE: it would be an attack with XML entities.
      if (text === undefined || /<!DOCTYPE|<!ENTITY/i.test(text)) throw damagedFile();
      return text;
    },
  };
  // The library accepts `file` as an undocumented alternative to a path or buffer.
  return { file } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
}
