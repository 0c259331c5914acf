import mammoth from "mammoth";
import type { Manner } from "./format.ts";
import { pageToText } from "./markdown.ts";
import { hasHeading, titled } from "./markdown-text.ts";
import { readPage } from "./page.ts";
import { damaged, unreadable } from "./unreadable.ts";
import { elementsNamed, readXml, wordsOf } from "./xml.ts";
import { type Archive, openArchive } from "./zip.ts";

const styles = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/** A document of Word: its headings, paragraphs, lists, tables and notes. */
export async function docxToText(bytes: Uint8Array, manner: Manner): Promise<string> {
  if (isLocked(bytes)) throw unreadable("it is locked with a password");
  const archive = await openArchive(bytes);
  const pictures = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth.convertToHtml(asInput(archive), {
    styleMap: styles,
    includeEmbeddedStyleMap: false,
    convertImage: pictures,
  });
  const page = readPage(value);
  for (const link of page.querySelectorAll("a[href^='#']")) {
    if (link.textContent === "↑") link.remove();
  }
  const text = pageToText(page.documentElement, manner);
  if (manner === "words" || hasHeading(text)) return text;
  const properties = await archive.text("docProps/core.xml");
  const [title] = properties ? elementsNamed(readXml(properties), "dc:title") : [];
  return titled(text, wordsOf(title));
}

/** A locked document is a container of an older kind, with a part that bears this name. */
function isLocked(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isContainer = buffer.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));
  return isContainer && buffer.includes(Buffer.from("EncryptedPackage", "utf16le"));
}

/**
 * The library takes an archive that somebody else opened, which its types do not say. It reads
 * parts through ours, so that what they unpack to is counted.
 */
function asInput(archive: Archive): Parameters<typeof mammoth.convertToHtml>[0] {
  const file = {
    exists: archive.has,
    async read(name: string) {
      const text = await archive.text(name);
      // The format has no document types; one that is there was put there to do harm.
      if (text === undefined || /<!DOCTYPE|<!ENTITY/i.test(text)) throw damaged();
      return text;
    },
  };
  // Sound because the library asks for `file` where it finds neither a path nor a buffer.
  return { file } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
}
