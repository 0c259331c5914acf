import type { Manner } from "./format.ts";
import { pageToText } from "./markdown.ts";
import { tidied, titled } from "./markdown-text.ts";
import { readPage, removeUnread } from "./page.ts";
import { damaged, unreadable } from "./unreadable.ts";
import { elementsNamed, readXml, wordsOf, type XmlElement } from "./xml.ts";
import { type Archive, openArchive } from "./zip.ts";

/** A book: its title, then its chapters in the order in which they are read. */
export async function epubToText(bytes: Uint8Array, manner: Manner): Promise<string> {
  const archive = await openArchive(bytes);
  await refuseLocked(archive);
  const place = await packagePlace(archive);
  const book = readXml((await archive.text(place)) ?? "");
  const chapters: string[] = [];
  for (const name of readingOrder(book, place)) {
    const html = await archive.text(name);
    if (html !== undefined) chapters.push(chapterToText(html, manner));
    else if (manner === "words") throw damaged();
  }
  if (chapters.length === 0) throw damaged();
  const text = chapters.join("\n\n");
  if (manner === "words") return tidied(text);
  const [title] = elementsNamed(book, "dc:title");
  return tidied(titled(text, wordsOf(title)));
}

/** Fonts are often made unreadable on purpose; a book whose chapters are is locked. */
async function refuseLocked(archive: Archive): Promise<void> {
  const list = await archive.text("META-INF/encryption.xml");
  if (list === undefined) return;
  const methods = [...elementsNamed(readXml(list), "EncryptionMethod")];
  const isFont = /^http:\/\/(www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;
  if (methods.some(({ attributes }) => !isFont.test(attributes.get("Algorithm") ?? ""))) {
    throw unreadable("it is locked by its seller");
  }
}

async function packagePlace(archive: Archive): Promise<string> {
  const container = await archive.text("META-INF/container.xml");
  const [first] = container ? elementsNamed(readXml(container), "rootfile") : [];
  const place = first?.attributes.get("full-path");
  if (!place || !archive.has(place)) throw damaged();
  return place;
}

/** The parts that the spine names, without the table of contents, which only repeats headings. */
function readingOrder(book: XmlElement, place: string): string[] {
  const items = new Map(
    [...elementsNamed(book, "opf:item")].map(({ attributes }) => [
      attributes.get("id"),
      attributes,
    ]),
  );
  return [...elementsNamed(book, "opf:itemref")].flatMap(({ attributes }) => {
    const item = items.get(attributes.get("idref"));
    const isContents = item?.get("properties")?.split(/\s+/).includes("nav");
    return item && !isContents ? [partAt(item.get("href") ?? "", place)] : [];
  });
}

/** `Text/ch%201.xhtml` in `OEBPS/book.opf` is the part `OEBPS/Text/ch 1.xhtml`. */
function partAt(href: string, place: string): string {
  try {
    const { pathname } = new URL(href, new URL(place, "archive://book/"));
    return decodeURIComponent(pathname).replace(/^\/+/, "");
  } catch {
    throw damaged();
  }
}

/** Links that lead to other parts of the archive lead nowhere for a reader of the text. */
function chapterToText(html: string, manner: Manner): string {
  const page = readPage(html);
  removeUnread(page);
  for (const link of page.querySelectorAll("a[href]")) {
    if (!/^[a-z]+:/i.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
  }
  return pageToText(page.documentElement, manner);
}
