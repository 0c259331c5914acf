import TurndownService from "turndown";
import type { OutputStyle } from "../format.ts";
import type { HtmlElement } from "./html-page.ts";
import {
  escapeBlockMarks,
  escapeTableCell,
  tableDelimiterRow,
  tidyMarkdown,
} from "./markdown-text.ts";

/** The text of a page or of a part of it. */
export function htmlElementToText(element: HtmlElement, style: OutputStyle): string {
  return style === "words" ? toPlainText(element) : toMarkdown(element);
}

function toMarkdown(element: HtmlElement): string {
  const writer = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  // Only block marks are escaped, so that search finds `snake_case`, not `snake\_case`.
  writer.escape = escapeBlockMarks;
  writer.addRule("item", { filter: "li", replacement: createListItemRule() });
  writer.addRule("link", { filter: "a", replacement: renderLink });
  writer.addRule("picture", { filter: "img", replacement: renderImage });
  addTableRules(writer);
  return tidyMarkdown(writer.turndown(element));
}

/** The visible lines, without marks for headings, bold text and so on. */
function toPlainText(element: HtmlElement): string {
  const writer = new TurndownService({ bulletListMarker: "-", hr: "" });
  const block = (text: string) => `\n\n${text}\n\n`;
  writer.escape = (text) => text;
  writer.addRule("item", { filter: "li", replacement: createListItemRule() });
  writer.addRule("picture", { filter: "img", replacement: renderImage });
  writer.addRule("inline", {
    filter: ["a", "b", "strong", "i", "em", "code"],
    replacement: (text) => text,
  });
  writer.addRule("block", {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "caption", "table"],
    replacement: block,
  });
  writer.addRule("code", {
    filter: "pre",
    replacement: (_, node: HtmlElement) => block(node.textContent ?? ""),
  });
  writer.addRule("row", { filter: "tr", replacement: (text) => `\n${text.trim()}` });
  writer.addRule("cell", {
    filter: ["td", "th"],
    replacement: (text) => `${text.replace(/\s+/g, " ").trim()}\t`,
  });
  return tidyMarkdown(writer.turndown(element));
}

/** The library renders items in order, so a counter per list is enough to number them. */
function createListItemRule() {
  const counts = new WeakMap<HtmlElement, number>();
  return (text: string, node: HtmlElement): string => {
    const list = node.parentNode;
    let mark = "- ";
    if (list?.tagName === "OL") {
      const number = counts.get(list) ?? (Number(list.getAttribute("start") ?? 1) || 1);
      counts.set(list, number + 1);
      mark = `${number}. `;
    }
    const indented = text.trim().replace(/\n(?!\n)/g, `\n${" ".repeat(mark.length)}`);
    return `${mark}${indented}${node.nextSibling ? "\n" : ""}`;
  };
}

/** Links within the page, scripts and data URLs are rendered as plain text. */
function renderLink(text: string, node: HtmlElement): string {
  const target = node.getAttribute("href")?.trim() ?? "";
  const isExternal = target !== "" && !/^(#|javascript:|data:|blob:)/i.test(target);
  const isPlain = text.trim() === target || /[\s()<>]/.test(target) || target.length > 500;
  return isExternal && !isPlain && text.trim() !== "" ? `[${text}](${target})` : text;
}

/** The alternative text. The URL is not useful for search and may contain the whole image. */
const renderImage = (_: string, node: HtmlElement): string =>
  node.getAttribute("alt")?.trim() ?? "";

/** Old pages use tables for layout. Tables whose cells contain blocks are not rendered as tables. */
function addTableRules(writer: TurndownService): void {
  const cache = new WeakMap<HtmlElement, boolean>();
  const isTable = (table: HtmlElement | null): boolean => {
    if (!table) return false;
    const isData = cache.get(table) ?? !table.querySelector("table, h1, h2, h3, h4, h5, h6, pre");
    cache.set(table, isData);
    return isData;
  };
  const block = (text: string) => `\n\n${text}\n\n`;
  writer.addRule("cell", {
    filter: ["td", "th"],
    replacement: (text, node: HtmlElement) =>
      isTable(node.closest("table")) ? ` ${escapeTableCell(text)} |` : block(text),
  });
  writer.addRule("row", {
    filter: "tr",
    replacement: (text, node: HtmlElement) =>
      isTable(node.closest("table")) ? `\n|${text}` : block(text),
  });
  writer.addRule("caption", { filter: "caption", replacement: block });
  writer.addRule("table", {
    filter: "table",
    replacement: (text, node: HtmlElement) => {
      if (!isTable(node)) return block(text);
      const lines = text.split("\n").filter((line) => line.trim().length > 1);
      const first = lines.findIndex((line) => line.startsWith("|"));
      const columns = [...(node.querySelector("tr")?.querySelectorAll("td, th") ?? [])].length;
      if (first >= 0) lines.splice(first + 1, 0, tableDelimiterRow(columns));
      if (first > 0) lines.splice(first, 0, "");
      return block(lines.join("\n"));
    },
  });
}
