import "./pdf-polyfill.ts";
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { dirname, join, sep } from "node:path";
import { getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { damagedFile, unreadableFile } from "../file-errors.ts";
import type { OutputStyle } from "../format.ts";
import { escapeBlockMarks, renderHeading, tidyMarkdown, withTitle } from "./markdown-text.ts";
import { groupIntoLines, groupIntoParagraphs, type PageLine } from "./pdf-lines.ts";

/** More text than any book has; a longer one comes from a crafted file. */
const maxTextLength = 32 * 1024 * 1024;

/** The pages of a document. In Markdown each page has a heading, so that matches can be cited. */
export async function pdfToText(
  bytes: Uint8Array,
  name: string,
  style: OutputStyle,
): Promise<string> {
  const loading = getDocument({
    // A copy, because the library detaches the buffer.
    data: new Uint8Array(bytes),
    // Predefined character maps (CMaps), for files that do not embed them.
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
      throw isLocked ? unreadableFile("it is password-protected") : damagedFile(error);
    });
    return await pdfDocumentText(pdf, name, style);
  } finally {
    await loading.destroy();
  }
}

async function pdfDocumentText(
  pdf: PDFDocumentProxy,
  name: string,
  style: OutputStyle,
): Promise<string> {
  const labels = await pdf.getPageLabels().catch(() => null);
  const parts: string[] = [];
  let first: PageLine[] = [];
  let length = 0;
  let pageError: unknown;
  for (let number = 1; number <= pdf.numPages; number++) {
    // For Markdown, damaged pages are skipped; plain text must be complete.
    const lines = await readPageLines(pdf, number).catch((error: unknown): PageLine[] => {
      pageError = error;
      return [];
    });
    if (number === 1) first = lines;
    if (lines.length === 0) continue;
    const paragraphs = groupIntoParagraphs(lines);
    const text = (style === "words" ? paragraphs : paragraphs.map(escapeBlockMarks)).join("\n");
    length += text.length;
    if (length > maxTextLength) throw unreadableFile("it unpacks to far more than its size");
    const hasPageHeadings = style !== "words" && pdf.numPages > 1;
    if (hasPageHeadings) parts.push(renderHeading(2, `Page ${labels?.[number - 1] || number}`));
    parts.push(text);
  }
  if (parts.length === 0) {
    throw pageError ? damagedFile(pageError) : unreadableFile("it contains no text");
  }
  if (style === "words") {
    if (pageError) throw damagedFile(pageError);
    return tidyMarkdown(parts.join("\n\n"));
  }
  const title = (await metadataTitle(pdf)) ?? printedTitle(first) ?? name;
  return tidyMarkdown(withTitle(parts.join("\n\n"), title));
}

async function readPageLines(pdf: PDFDocumentProxy, number: number): Promise<PageLine[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return groupIntoLines(items.filter((item) => "str" in item));
}

/** Titles that programs fill in by default. */
const placeholderTitle =
  /^(untitled|microsoft \w+ - .*|powerpoint presentation|.*\.(docx?|pptx?|xlsx?|odt|indd|tex|dvi|pdf))$/i;

async function metadataTitle(pdf: PDFDocumentProxy): Promise<string | undefined> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const title = "Title" in info && typeof info.Title === "string" ? info.Title.trim() : "";
  return title === "" || placeholderTitle.test(title) ? undefined : title;
}

/** The line with the largest font size of the first page, if it is clearly larger than the rest. */
function printedTitle(lines: readonly PageLine[]): string | undefined {
  const sizes = lines.map(({ size }) => size).sort((a, b) => a - b);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const largest = sizes.at(-1) ?? 0;
  const title = lines.find(({ size }) => size === largest)?.text ?? "";
  return largest > 1.2 * median && /\p{L}{2}/u.test(title) && title.length < 200
    ? title
    : undefined;
}
