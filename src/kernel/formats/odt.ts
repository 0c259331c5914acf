import { asPlainLine, hasHeading, heading, tableLines, tidied, titled } from "./markdown-text.ts";
import { damaged, unreadable } from "./unreadable.ts";
import { elementsNamed, readXml, wordsOf, type XmlElement } from "./xml.ts";
import { type Archive, openArchive } from "./zip.ts";

/** A text of OpenDocument: headings, paragraphs, lists and tables in the order of the file. */
export async function odtToMarkdown(bytes: Uint8Array): Promise<string> {
  const archive = await openArchive(bytes);
  await refuseLocked(archive);
  const content = readXml((await archive.text("content.xml")) ?? "");
  const [body] = elementsNamed(content, "office:text");
  if (!body) throw damaged();
  const text = tidied(blocksOf(body, titleStyles(content)).join("\n\n"));
  if (hasHeading(text)) return text;
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

function blocksOf(parent: XmlElement, titles: Set<string>): string[] {
  return parent.children.flatMap((child) => {
    if (typeof child === "string" || unread.has(child.name)) return [];
    const { name, attributes } = child;
    switch (name) {
      case "text:h":
        return headingOf(child, Number(attributes.get("text:outline-level")) || 1, titles);
      case "text:p":
        if (titles.has(attributes.get("text:style-name") ?? "")) return headingOf(child, 1, titles);
        return inlineOf(child, titles).trim().split("\n").map(asPlainLine).join("\n") || [];
      case "text:list":
        return listLines(child, titles).join("\n") || [];
      case "table:table":
        return tableLines(rowsOf(child, titles)).join("\n") || [];
      default:
        return blocksOf(child, titles);
    }
  });
}

function headingOf(element: XmlElement, depth: number, titles: Set<string>): string[] {
  const words = inlineOf(element, titles).trim();
  return words === "" ? [] : [heading(depth, words)];
}

/** The words of a paragraph; what hangs on it, such as a note or a box, follows where it hangs. */
function inlineOf(element: XmlElement, titles: Set<string>): string {
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
        return ` (${blocksOf(child, titles).join(" ")})`;
      case "draw:text-box":
        return `\n${blocksOf(child, titles).join("\n")}\n`;
      case "svg:title":
      case "svg:desc":
        return ` ${wordsOf(child)} `;
      default:
        return inlineOf(child, titles);
    }
  });
  return words.join("").replace(/ {2,}/g, " ");
}

function listLines(list: XmlElement, titles: Set<string>): string[] {
  return list.children.flatMap((item) => {
    if (typeof item === "string") return [];
    const lines = blocksOf(item, titles).flatMap((block) => block.split("\n"));
    return lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
  });
}

/** Rows may stand in groups, and below a header; a table in a cell becomes words of the cell. */
function rowsOf(table: XmlElement, titles: Set<string>): string[][] {
  return table.children.flatMap((child) => {
    if (typeof child === "string") return [];
    if (child.name !== "table:table-row") return rowsOf(child, titles);
    const cells = child.children.flatMap((cell) =>
      typeof cell === "string" ? [] : [blocksOf(cell, titles).join(" ")],
    );
    return cells.some((words) => words !== "") ? [cells] : [];
  });
}
