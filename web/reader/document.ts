import { withWikiWords } from "../../src/text/wiki-links.ts";
import type { Output } from "../client.ts";

export interface OpenDocument {
  /** As it was asked for. */
  asked: string;
  /** As `collection/path`. */
  file: string;
  title: string;
  /** What people say of the folder it lies in. */
  context: string;
  lines: readonly string[];
}

/**
 * Reads what `get` answers. Context stands before the text. Every line of the text has its number,
 * so none but the first begins with that of the first.
 *
 * ```
 * <!-- Context: Minutes of our meetings -->
 *
 * 1: The first line
 * 2: The second
 * ```
 */
export function documentFrom(
  asked: string,
  { name, title, text }: Pick<Output<"get">["document"], "name" | "title" | "text">,
): OpenDocument {
  const start = `\n${text}`.lastIndexOf("\n1: ");
  const lines = start < 0 ? [] : text.slice(start).split("\n");
  return {
    asked,
    file: name,
    title: titleShown(name, title),
    context: /^<!-- Context: (.*) -->\s*$/s.exec(text.slice(0, Math.max(start, 0)))?.[1] ?? "",
    lines: lines.map((line, at) => line.slice(String(at + 1).length + 2)),
  };
}

/** A title without the objects that it defines; a note that it links to is a part of it. */
export function titleShown(file: string, title: string): string {
  const words = file.endsWith(".qmd.md") ? title : withWikiWords(title);
  return words.replace(/\s*\[\[.*?\]\]+/g, "").trim() || title;
}

/** What is written or was turned into Markdown; all else is read as it is written. */
export const isMarkdown = (file: string): boolean =>
  /\.(?:md|markdown|mdown|mdx|qmd|rmd|html?|xhtml|docx|pdf|odt|epub|rtf|ipynb|org)$/i.test(file);
