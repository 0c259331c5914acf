import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { unreadableFile } from "../file-errors.ts";
import type { OutputStyle } from "../format.ts";
import { type HtmlElement, type HtmlPage, parseHtml, removeHiddenElements } from "./html-page.ts";
import { htmlElementToText } from "./html-to-text.ts";
import { tidyMarkdown, withTitle } from "./markdown-text.ts";

/**
 * The visible text of a page. Markdown contains only the main article, if there is one. Plain text
 * is always complete: extracting the article may lose a heading, and quotes must match exactly.
 */
export function htmlToText(bytes: Uint8Array, style: OutputStyle): string {
  const html = decodeHtml(bytes);
  if (html === undefined) throw unreadableFile("it is not text");
  const page = parseHtml(html);
  if (style === "words") {
    removeHiddenElements(page);
    return htmlElementToText(page.documentElement, style);
  }
  const name = page.querySelector("title")?.textContent;
  const article = extractArticle(html, page);
  removeHiddenElements(page);
  const title = singleHeading(page) ?? name;
  // A short article is probably a wrong guess, and the rest of the text could not be searched.
  if (article && textLengthOf(article) * 3 > textLengthOf(page.documentElement)) {
    return tidyMarkdown(withTitle(htmlElementToText(article, style), title).replace(/^## /, "# "));
  }
  const text = htmlElementToText(page.documentElement, style);
  return page.querySelector("h1") ? text : tidyMarkdown(withTitle(text, title));
}

/** Extracting the article demotes or removes the page's heading. */
function singleHeading(page: HtmlPage): string | undefined {
  const [first, ...others] = page.querySelectorAll("h1");
  return others.length === 0 ? first?.textContent?.trim() || undefined : undefined;
}

/** Longer pages are not articles, and extraction needs a second copy in memory. */
const maxArticleLength = 2_000_000;

/**
 * The main article of the page, without navigation and the like. Parses the page a second time,
 * because the extraction modifies the document.
 */
function extractArticle(html: string, page: HtmlPage): HtmlElement | undefined {
  if (html.length > maxArticleLength || !isProbablyReaderable(page)) return undefined;
  try {
    const reader = new Readability(parseHtml(html), {
      maxElemsToParse: 30_000,
      keepClasses: true,
      serializer: (node: HtmlElement) => node,
    });
    return reader.parse()?.content ?? undefined;
  } catch {
    return undefined;
  }
}

const textLengthOf = (element: HtmlElement): number =>
  (element.textContent ?? "").replace(/\s+/g, " ").length;

/**
 * Decodes a page: with the encoding of its byte order mark or declaration, else as UTF-8, else as
 * Windows-1252. Returns undefined for binary data.
 */
function decodeHtml(bytes: Uint8Array): string | undefined {
  const encoding = encodingOfByteOrderMark(bytes) ?? declaredEncoding(bytes);
  if (!encoding?.startsWith("utf-16") && bytes.includes(0)) return undefined;
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function encodingOfByteOrderMark([a, b]: Uint8Array): string | undefined {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xef && b === 0xbb ? "utf-8" : undefined;
}

/** Browsers scan the first 1024 bytes for it; this scans more, for pages with a long comment. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const [, name = ""] =
    /<meta\b[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(start) ??
    /^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w-]{1,40})/.exec(start) ??
    [];
  try {
    const { encoding } = new TextDecoder(name);
    // The declaration was read as ASCII, so the page cannot be UTF-16.
    return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  } catch {
    return undefined;
  }
}
