import "./pdf-surroundings.ts";
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { dirname, join, sep } from "node:path";
import { getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Manner } from "./format.ts";
import { asPlainLine, heading, tidied, titled } from "./markdown-text.ts";
import { linesOfPage, type PageLine, paragraphsOf } from "./pdf-lines.ts";
import { damaged, unreadable } from "./unreadable.ts";

/** Longer than any book; beyond it pages were made to repeat themselves. */
const longestText = 32 * 1024 * 1024;

/** A document page by page; in Markdown each has a heading, so that what is found can be cited. */
export async function pdfToText(bytes: Uint8Array, name: string, manner: Manner): Promise<string> {
  const loading = getDocument({
    // The library takes the bytes away from whoever gives them.
    data: new Uint8Array(bytes),
    // Tables of which number means which letter, for files that do not bring their own.
    cMapUrl: join(dirname(process.argv[1] ?? ""), "cmaps") + sep,
    cMapPacked: true,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
    enableXfa: false,
    verbosity: 0,
  });
  try {
    const pdf = await loading.promise.catch((error) => {
      const isLocked = error instanceof Error && error.name === "PasswordException";
      throw isLocked ? unreadable("it is locked with a password") : damaged(error);
    });
    return await textOf(pdf, name, manner);
  } finally {
    await loading.destroy();
  }
}

async function textOf(pdf: PDFDocumentProxy, name: string, manner: Manner): Promise<string> {
  const labels = await pdf.getPageLabels().catch(() => null);
  const parts: string[] = [];
  let first: PageLine[] = [];
  let length = 0;
  let broken: unknown;
  for (let number = 1; number <= pdf.numPages; number++) {
    // One page that is damaged costs itself, where somebody searches; who quotes must have it all.
    const lines = await linesAt(pdf, number).catch((error: unknown): PageLine[] => {
      broken = error;
      return [];
    });
    if (number === 1) first = lines;
    if (lines.length === 0) continue;
    const paragraphs = paragraphsOf(lines);
    const text = (manner === "words" ? paragraphs : paragraphs.map(asPlainLine)).join("\n");
    length += text.length;
    if (length > longestText) throw unreadable("it unpacks to far more than its size");
    const isHeaded = manner !== "words" && pdf.numPages > 1;
    if (isHeaded) parts.push(heading(2, `Page ${labels?.[number - 1] || number}`));
    parts.push(text);
  }
  if (parts.length === 0) throw broken ? damaged(broken) : unreadable("it holds no text");
  if (manner === "words") {
    if (broken) throw damaged(broken);
    return tidied(parts.join("\n\n"));
  }
  const title = (await ownTitle(pdf)) ?? printedTitle(first) ?? name;
  return tidied(titled(parts.join("\n\n"), title));
}

async function linesAt(pdf: PDFDocumentProxy, number: number): Promise<PageLine[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return linesOfPage(items.filter((item) => "str" in item));
}

/** What programs write where nobody gave a title. */
const noTitle =
  /^(untitled|microsoft \w+ - .*|powerpoint presentation|.*\.(docx?|pptx?|xlsx?|odt|indd|tex|dvi|pdf))$/i;

async function ownTitle(pdf: PDFDocumentProxy): Promise<string | undefined> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const title = "Title" in info && typeof info.Title === "string" ? info.Title.trim() : "";
  return title === "" || noTitle.test(title) ? undefined : title;
}

/** The line in the largest letters of the first page, where one stands out. */
function printedTitle(lines: readonly PageLine[]): string | undefined {
  const sizes = lines.map(({ size }) => size).sort((a, b) => a - b);
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const largest = sizes.at(-1) ?? 0;
  const title = lines.find(({ size }) => size === largest)?.text ?? "";
  return largest > 1.2 * usual && /\p{L}{2}/u.test(title) && title.length < 200 ? title : undefined;
}
