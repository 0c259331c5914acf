import type { Manner } from "./format.ts";
import { asPlainLine, hasHeading, heading, tableLines, tidied, titled } from "./markdown-text.ts";
import { damaged, unreadable } from "./unreadable.ts";
import { elementsNamed, readXml, wordsOf, type XmlElement } from "./xml.ts";
import { type Archive, openArchive } from "./zip.ts";

/** A text of OpenDocument: headings, paragraphs, lists and tables in the order of the file. */
export async function odtToText(bytes: Uint8Array, manner: Manner): Promise<string> {
  const archive = await openArchive(bytes);
  await refuseLocked(archive);
  const content = readXml((await archive.text("content.xml")) ?? "");
  const [body] = elementsNamed(content, "office:text");
  if (!body) throw damaged();
  const text = tidied(blocksOf(body, { manner, titles: titleStyles(content) }).join("\n\n"));
  if (manner === "words" || hasHeading(text)) return text;
  const properties = await archive.text("meta.xml");
  const [title] = properties ? elementsNamed(readXml(properties), "dc:title") : [];
  return titled(text, wordsOf(title));
}

async function refuseLocked(archive: Archive): Promise<void> {
  const manifest = await archive.text("META-INF/manifest.xml");
  const [lock] = manifest ? elementsNamed(readXml(manifest), "manifest:encryption-data") : [];
  if (lock) throw unreadable("it is locked with a password");
}

/** A title is a paragraph of the style of that name, or of one that derives from it. */
function titleStyles(content: XmlElement): Set<string> {
  const derived = [...elementsNamed(content, "style:style")]
    .filter(({ attributes }) => attributes.get("style:parent-style-name") === "Title")
    .map(({ attributes }) => attributes.get("style:name") ?? "");
  return new Set(["Title", ...derived]);
}

/** What repeats other text, was deleted, or is no text at all. */
const unread = new Set([
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

/** What the words of a file become. */
interface Style {
  manner: Manner;
  /** Names of the styles of titles. */
  titles: Set<string>;
}

function blocksOf(parent: XmlElement, style: Style): string[] {
  return parent.children.flatMap((child) => {
    if (typeof child === "string" || unread.has(child.name)) return [];
    const { name, attributes } = child;
    switch (name) {
      case "text:h":
        return headingOf(child, Number(attributes.get("text:outline-level")) || 1, style);
      case "text:p":
        if (style.titles.has(attributes.get("text:style-name") ?? ""))
          return headingOf(child, 1, style);
        return plainLines(inlineOf(child, style).trim(), style) || [];
      case "text:list":
        return listLines(child, style).join("\n") || [];
      case "table:table":
        return tableText(rowsOf(child, style), style) || [];
      default:
        return blocksOf(child, style);
    }
  });
}

function headingOf(element: XmlElement, depth: number, style: Style): string[] {
  const words = inlineOf(element, style).trim();
  if (words === "") return [];
  return [style.manner === "words" ? words.replace(/\s+/g, " ") : heading(depth, words)];
}

const plainLines = (words: string, { manner }: Style): string =>
  manner === "words" ? words : words.split("\n").map(asPlainLine).join("\n");

const tableText = (rows: string[][], { manner }: Style): string =>
  (manner === "words" ? rows.map((cells) => cells.join("\t")) : tableLines(rows)).join("\n");

/** The words of a paragraph; what hangs on it, such as a note or a box, follows where it hangs. */
function inlineOf(element: XmlElement, style: Style): string {
  const words = element.children.map((child) => {
    if (typeof child === "string") return child.replace(/\s+/g, " ");
    if (unread.has(child.name)) return "";
    switch (child.name) {
      case "text:s":
      case "text:tab":
        return " ";
      case "text:line-break":
        return "\n";
      case "text:note-body":
        return ` (${blocksOf(child, style).join(" ")})`;
      case "draw:text-box":
        return `\n${blocksOf(child, style).join("\n")}\n`;
      case "svg:title":
      case "svg:desc":
        return ` ${wordsOf(child)} `;
      default:
        return inlineOf(child, style);
    }
  });
  return words.join("").replace(/ {2,}/g, " ");
}

function listLines(list: XmlElement, style: Style): string[] {
  return list.children.flatMap((item) => {
    if (typeof item === "string") return [];
    const lines = blocksOf(item, style).flatMap((block) => block.split("\n"));
    return lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
  });
}

/** Rows may stand in groups, and below a header; a table in a cell becomes words of the cell. */
function rowsOf(table: XmlElement, style: Style): string[][] {
  return table.children.flatMap((child) => {
    if (typeof child === "string") return [];
    if (child.name !== "table:table-row") return rowsOf(child, style);
    const cells = child.children.flatMap((cell) =>
      typeof cell === "string" ? [] : [blocksOf(cell, style).join(" ")],
    );
    return cells.some((words) => words !== "") ? [cells] : [];
  });
}
