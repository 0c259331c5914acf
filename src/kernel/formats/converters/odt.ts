import { elementText, findElements, parseXml, type XmlElement } from "../containers/xml.ts";
import { openZip, type ZipArchive } from "../containers/zip-reader.ts";
import { damagedFile, unreadableFile } from "../file-errors.ts";
import type { OutputStyle } from "../format.ts";
import {
  escapeBlockMarks,
  hasHeading,
  renderHeading,
  renderTableLines,
  tidyMarkdown,
  withTitle,
} from "./markdown-text.ts";

/** An OpenDocument text: its headings, paragraphs, lists and tables. */
export async function odtToText(bytes: Uint8Array, style: OutputStyle): Promise<string> {
  const archive = await openZip(bytes);
  await assertNotEncrypted(archive);
  const content = parseXml((await archive.readText("content.xml")) ?? "");
  const [body] = findElements(content, "office:text");
  if (!body) throw damagedFile();
  const text = tidyMarkdown(blocksOf(body, { style, titles: titleStyles(content) }).join("\n\n"));
  if (style === "words" || hasHeading(text)) return text;
  const properties = await archive.readText("meta.xml");
  const [title] = properties ? findElements(parseXml(properties), "dc:title") : [];
  return withTitle(text, elementText(title));
}

async function assertNotEncrypted(archive: ZipArchive): Promise<void> {
  const manifest = await archive.readText("META-INF/manifest.xml");
  const [encryption] = manifest ? findElements(parseXml(manifest), "manifest:encryption-data") : [];
  if (encryption) throw unreadableFile("it is password-protected");
}

/** The paragraph styles of titles: `Title` and the styles derived from it. */
function titleStyles(content: XmlElement): Set<string> {
  const derived = [...findElements(content, "style:style")]
    .filter(({ attributes }) => attributes.get("style:parent-style-name") === "Title")
    .map(({ attributes }) => attributes.get("style:name") ?? "");
  return new Set(["Title", ...derived]);
}

/** Elements that repeat other text, were deleted, or contain no text. */
const skippedElements = new Set([
  ...["text:table-of-content", "text:alphabetical-index", "text:illustration-index"],
  ...["text:table-index", "text:tracked-changes", "text:sequence-decls", "text:user-field-decls"],
  ...[
    "text:variable-decls",
    "office:forms",
    "office:annotation",
    "text:note-citation",
    "draw:image",
  ],
]);

interface ConversionContext {
  style: OutputStyle;
  /** Names of the paragraph styles of titles. */
  titles: Set<string>;
}

function blocksOf(parent: XmlElement, context: ConversionContext): string[] {
  return parent.children.flatMap((child) => {
    if (typeof child === "string" || skippedElements.has(child.name)) return [];
    const { name, attributes } = child;
    switch (name) {
      case "text:h":
        return renderOdtHeading(child, Number(attributes.get("text:outline-level")) || 1, context);
      case "text:p":
        if (context.titles.has(attributes.get("text:style-name") ?? ""))
          return renderOdtHeading(child, 1, context);
        return plainTextLines(inlineText(child, context).trim(), context) || [];
      case "text:list":
        return listLines(child, context).join("\n") || [];
      case "table:table":
        return tableText(rowsOf(child, context), context) || [];
      default:
        return blocksOf(child, context);
    }
  });
}

function renderOdtHeading(
  element: XmlElement,
  depth: number,
  context: ConversionContext,
): string[] {
  const text = inlineText(element, context).trim();
  if (text === "") return [];
  return [context.style === "words" ? text.replace(/\s+/g, " ") : renderHeading(depth, text)];
}

const plainTextLines = (text: string, { style }: ConversionContext): string =>
  style === "words" ? text : text.split("\n").map(escapeBlockMarks).join("\n");

const tableText = (rows: string[][], { style }: ConversionContext): string =>
  (style === "words" ? rows.map((cells) => cells.join("\t")) : renderTableLines(rows)).join("\n");

/** The text of a paragraph, with notes and text boxes inserted at their anchors. */
function inlineText(element: XmlElement, context: ConversionContext): string {
  const parts = element.children.map((child) => {
    if (typeof child === "string") return child.replace(/\s+/g, " ");
    if (skippedElements.has(child.name)) return "";
    switch (child.name) {
      case "text:s":
      case "text:tab":
        return " ";
      case "text:line-break":
        return "\n";
      case "text:note-body":
        return ` (${blocksOf(child, context).join(" ")})`;
      case "draw:text-box":
        return `\n${blocksOf(child, context).join("\n")}\n`;
      case "svg:title":
      case "svg:desc":
        return ` ${elementText(child)} `;
      default:
        return inlineText(child, context);
    }
  });
  return parts.join("").replace(/ {2,}/g, " ");
}

function listLines(list: XmlElement, context: ConversionContext): string[] {
  return list.children.flatMap((item) => {
    if (typeof item === "string") return [];
    const lines = blocksOf(item, context).flatMap((block) => block.split("\n"));
    return lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
  });
}

/** Rows may be nested in groups and headers. A table in a cell becomes text of the cell. */
function rowsOf(table: XmlElement, context: ConversionContext): string[][] {
  return table.children.flatMap((child) => {
    if (typeof child === "string") return [];
    if (child.name !== "table:table-row") return rowsOf(child, context);
    const cells = child.children.flatMap((cell) =>
      typeof cell === "string" ? [] : [blocksOf(cell, context).join(" ")],
    );
    return cells.some((text) => text !== "") ? [cells] : [];
  });
}
