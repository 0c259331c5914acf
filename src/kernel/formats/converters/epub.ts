import { elementText, findElements, parseXml, type XmlElement } from "../containers/xml.ts";
import { openZip, type ZipArchive } from "../containers/zip-reader.ts";
import { damagedFile, unreadableFile } from "../file-errors.ts";
import type { OutputStyle } from "../format.ts";
import { parseHtml, removeHiddenElements } from "./html-page.ts";
import { htmlElementToText } from "./html-to-text.ts";
import { tidyMarkdown, withTitle } from "./markdown-text.ts";

/** A book: its title, and its chapters in reading order. */
export async function epubToText(bytes: Uint8Array, style: OutputStyle): Promise<string> {
  const archive = await openZip(bytes);
  await assertNotEncrypted(archive);
  const packagePath = await findPackagePath(archive);
  const book = parseXml((await archive.readText(packagePath)) ?? "");
  const chapters: string[] = [];
  for (const name of readingOrder(book, packagePath)) {
    const html = await archive.readText(name);
    if (html !== undefined) chapters.push(chapterToText(html, style));
    else if (style === "words") throw damagedFile();
  }
  if (chapters.length === 0) throw damagedFile();
  const text = chapters.join("\n\n");
  if (style === "words") return tidyMarkdown(text);
  const [title] = findElements(book, "dc:title");
  return tidyMarkdown(withTitle(text, elementText(title)));
}

/** Obfuscated fonts are common and harmless; any other encryption is DRM. */
async function assertNotEncrypted(archive: ZipArchive): Promise<void> {
  const list = await archive.readText("META-INF/encryption.xml");
  if (list === undefined) return;
  const methods = [...findElements(parseXml(list), "EncryptionMethod")];
  const isFont = /^http:\/\/(www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;
  if (methods.some(({ attributes }) => !isFont.test(attributes.get("Algorithm") ?? ""))) {
    throw unreadableFile("it is protected by DRM");
  }
}

async function findPackagePath(archive: ZipArchive): Promise<string> {
  const container = await archive.readText("META-INF/container.xml");
  const [first] = container ? findElements(parseXml(container), "rootfile") : [];
  const packagePath = first?.attributes.get("full-path");
  if (!packagePath || !archive.has(packagePath)) throw damagedFile();
  return packagePath;
}

/** The files of the spine, without the table of contents, which only repeats headings. */
function readingOrder(book: XmlElement, packagePath: string): string[] {
  const items = new Map(
    [...findElements(book, "opf:item")].map(({ attributes }) => [attributes.get("id"), attributes]),
  );
  return [...findElements(book, "opf:itemref")].flatMap(({ attributes }) => {
    const item = items.get(attributes.get("idref"));
    const isContents = item?.get("properties")?.split(/\s+/).includes("nav");
    return item && !isContents ? [resolveHref(item.get("href") ?? "", packagePath)] : [];
  });
}

/** `Text/ch%201.xhtml` in `OEBPS/book.opf` is the entry `OEBPS/Text/ch 1.xhtml`. */
function resolveHref(href: string, packagePath: string): string {
  try {
    const { pathname } = new URL(href, new URL(packagePath, "archive://book/"));
    return decodeURIComponent(pathname).replace(/^\/+/, "");
  } catch {
    throw damagedFile();
  }
}

/** Removes links to other files of the archive, which do not work outside of it. */
function chapterToText(html: string, style: OutputStyle): string {
  const page = parseHtml(html);
  removeHiddenElements(page);
  for (const link of page.querySelectorAll("a[href]")) {
    if (!/^[a-z]+:/i.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
  }
  return htmlElementToText(page.documentElement, style);
}
