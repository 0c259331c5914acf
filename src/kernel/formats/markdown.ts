import TurndownService from "turndown";
import type { Manner } from "./format.ts";
import { asCell, asPlainLine, tableRule, tidied } from "./markdown-text.ts";
import type { PageElement } from "./page.ts";

/** A page, or a part of it. */
export function pageToText(element: PageElement, manner: Manner): string {
  return manner === "words" ? toWords(element) : toMarkdown(element);
}

function toMarkdown(element: PageElement): string {
  const writer = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  // Every word is to be found as it is written: `snake_case`, not `snake\_case`.
  writer.escape = asPlainLine;
  writer.addRule("item", { filter: "li", replacement: itemWriter() });
  writer.addRule("link", { filter: "a", replacement: link });
  writer.addRule("picture", { filter: "img", replacement: picture });
  addTables(writer);
  return tidied(writer.turndown(element));
}

/** Lines as a reader sees them: what is bold or a heading is told by its looks, not by a mark. */
function toWords(element: PageElement): string {
  const writer = new TurndownService({ bulletListMarker: "-", hr: "" });
  const block = (words: string) => `\n\n${words}\n\n`;
  writer.escape = (words) => words;
  writer.addRule("item", { filter: "li", replacement: itemWriter() });
  writer.addRule("picture", { filter: "img", replacement: picture });
  writer.addRule("inline", {
    filter: ["a", "b", "strong", "i", "em", "code"],
    replacement: (words) => words,
  });
  writer.addRule("block", {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "caption", "table"],
    replacement: block,
  });
  writer.addRule("code", {
    filter: "pre",
    replacement: (_, node: PageElement) => block(node.textContent ?? ""),
  });
  writer.addRule("row", { filter: "tr", replacement: (words) => `\n${words.trim()}` });
  writer.addRule("cell", {
    filter: ["td", "th"],
    replacement: (words) => `${words.replace(/\s+/g, " ").trim()}\t`,
  });
  return tidied(writer.turndown(element));
}

/** Items come in their order, so that counting is enough to number them. */
function itemWriter() {
  const counts = new WeakMap<PageElement, number>();
  return (words: string, node: PageElement): string => {
    const list = node.parentNode;
    let mark = "- ";
    if (list?.tagName === "OL") {
      const number = counts.get(list) ?? (Number(list.getAttribute("start") ?? 1) || 1);
      counts.set(list, number + 1);
      mark = `${number}. `;
    }
    const indented = words.trim().replace(/\n(?!\n)/g, `\n${" ".repeat(mark.length)}`);
    return `${mark}${indented}${node.nextSibling ? "\n" : ""}`;
  };
}

/** A target within the page itself, or one that is a script, leads a reader nowhere. */
function link(words: string, node: PageElement): string {
  const target = node.getAttribute("href")?.trim() ?? "";
  const leads = target !== "" && !/^(#|javascript:|data:|blob:)/i.test(target);
  const isPlain = words.trim() === target || /[\s()<>]/.test(target) || target.length > 500;
  return leads && !isPlain && words.trim() !== "" ? `[${words}](${target})` : words;
}

/** What a picture shows is said by its words; its address is noise, and may be the picture itself. */
const picture = (_: string, node: PageElement): string => node.getAttribute("alt")?.trim() ?? "";

/** Old pages are laid out in tables; what stands in their cells is more than a cell holds. */
function addTables(writer: TurndownService): void {
  const known = new WeakMap<PageElement, boolean>();
  const isTable = (table: PageElement | null): boolean => {
    if (!table) return false;
    const verdict = known.get(table) ?? !table.querySelector("table, h1, h2, h3, h4, h5, h6, pre");
    known.set(table, verdict);
    return verdict;
  };
  const block = (words: string) => `\n\n${words}\n\n`;
  writer.addRule("cell", {
    filter: ["td", "th"],
    replacement: (words, node: PageElement) =>
      isTable(node.closest("table")) ? ` ${asCell(words)} |` : block(words),
  });
  writer.addRule("row", {
    filter: "tr",
    replacement: (words, node: PageElement) =>
      isTable(node.closest("table")) ? `\n|${words}` : block(words),
  });
  writer.addRule("caption", { filter: "caption", replacement: block });
  writer.addRule("table", {
    filter: "table",
    replacement: (words, node: PageElement) => {
      if (!isTable(node)) return block(words);
      const lines = words.split("\n").filter((line) => line.trim().length > 1);
      const first = lines.findIndex((line) => line.startsWith("|"));
      const columns = [...(node.querySelector("tr")?.querySelectorAll("td, th") ?? [])].length;
      if (first >= 0) lines.splice(first + 1, 0, tableRule(columns));
      if (first > 0) lines.splice(first, 0, "");
      return block(lines.join("\n"));
    },
  });
}
