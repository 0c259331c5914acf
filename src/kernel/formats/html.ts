import { isProbablyReaderable, Readability } from "@mozilla/readability";
import type { Manner } from "./format.ts";
import { decodeHtml } from "./html-encoding.ts";
import { pageToText } from "./markdown.ts";
import { tidied, titled } from "./markdown-text.ts";
import { type Page, type PageElement, readPage, removeUnread } from "./page.ts";
import { unreadable } from "./unreadable.ts";

/**
 * All that a reader of the page reads; in Markdown its article alone, where it has one. Who finds the
 * article may lose a heading, which whoever quotes it must not.
 */
export function htmlToText(bytes: Uint8Array, manner: Manner): string {
  const html = decodeHtml(bytes);
  if (html === undefined) throw unreadable("it is not text");
  const page = readPage(html);
  if (manner === "words") {
    removeUnread(page);
    return pageToText(page.documentElement, manner);
  }
  const name = page.querySelector("title")?.textContent;
  const article = articleOf(html, page);
  removeUnread(page);
  const title = onlyHeading(page) ?? name;
  if (article && lengthOf(article) * 3 > lengthOf(page.documentElement)) {
    return tidied(titled(pageToText(article, manner), title).replace(/^## /, "# "));
  }
  const text = pageToText(page.documentElement, manner);
  return page.querySelector("h1") ? text : tidied(titled(text, title));
}

/** Finding the article takes the page's own heading down a rank, or away. */
function onlyHeading(page: Page): string | undefined {
  const [first, ...others] = page.querySelectorAll("h1");
  return others.length === 0 ? first?.textContent?.trim() || undefined : undefined;
}

/** Longer pages are not articles but whole books, and two copies of them fill the memory. */
const longestArticle = 2_000_000;

/**
 * The main part of the page, without what surrounds it. It is looked for in a second copy, which the
 * search takes apart. A part that is small beside the whole is no article but a guess: words that
 * are left out can never be found.
 */
function articleOf(html: string, page: Page): PageElement | undefined {
  if (html.length > longestArticle || !isProbablyReaderable(page)) return undefined;
  try {
    const found = new Readability(readPage(html), {
      maxElemsToParse: 30_000,
      keepClasses: true,
      serializer: (node: PageElement) => node,
    });
    return found.parse()?.content ?? undefined;
  } catch {
    return undefined;
  }
}

const lengthOf = (element: PageElement): number =>
  (element.textContent ?? "").replace(/\s+/g, " ").length;
