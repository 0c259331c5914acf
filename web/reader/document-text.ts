import { wikiLinksAsText } from "../../src/text/markdown/wiki-links.ts";
import type { Output } from "../server/client.ts";

export interface OpenDocument {
  /** The name in the request. */
  requestedName: string;
  /** `collection/path`. */
  file: string;
  title: string;
  /** The description of its folder. */
  context: string;
  lines: readonly string[];
}

/**
 * Parses the answer of `get`: the context, then the numbered lines. Since every line has its number,
 * `1: ` occurs at a line start only once.
 *
 * ```
 * <!-- Context: Minutes of our meetings -->
 *
 * 1: The first line
 * 2: The second
 * ```
 */
export function parseOpenDocument(
  requestedName: string,
  { name, title, text }: Pick<Output<"get">["document"], "name" | "title" | "text">,
): OpenDocument {
  const start = `\n${text}`.lastIndexOf("\n1: ");
  const lines = start < 0 ? [] : text.slice(start).split("\n");
  return {
    requestedName,
    file: name,
    title: displayTitle(name, title),
    context: /^<!-- Context: (.*) -->\s*$/s.exec(text.slice(0, Math.max(start, 0)))?.[1] ?? "",
    lines: lines.map((line, at) => line.slice(String(at + 1).length + 2)),
  };
}

/** A title without object definitions. Wiki links are replaced by their text. */
export function displayTitle(file: string, title: string): string {
  const text = file.endsWith(".qmd.md") ? title : wikiLinksAsText(title);
  return text.replace(/\s*\[\[.*?\]\]+/g, "").trim() || title;
}

/** Whether a file is Markdown, or converted to Markdown. Other files are shown as source. */
export const isMarkdown = (file: string): boolean =>
  /\.(?:md|markdown|mdown|mdx|qmd|rmd|html?|xhtml|docx|pdf|odt|epub|rtf|ipynb|org)$/i.test(file);
