import { elementAt } from "../arrays/element-at.ts";
import { frontmatterLength } from "./frontmatter.ts";
import { fenceMarker } from "./headings.ts";

/** The most tags of one document, and the longest of them; only generated files exceed this. */
const maxTags = 200;
const maxTagLength = 200;

/**
 * `#area/topic` after white space or at the start of a line. White space is required because `#`
 * within a word or after a bracket is part of a URL: `page#part`, `[text](#part)`.
 */
const tagPattern = /(?<!\S)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]+)/gu;

/**
 * The tags in the text of a Markdown document, as in Obsidian: `#idea`, `#area/topic`. Tags in code
 * and front matter are ignored. A tag has at least one letter or emoji, so that `#12` is a number.
 */
export function findInlineTags(lines: readonly string[]): string[] {
  if (!lines.some(mayHaveTag)) return [];
  const tags = new Set<string>();
  for (const line of proseLines(lines)) {
    if (!mayHaveTag(line)) continue;
    for (const [, name = ""] of withoutCodeSpans(line).matchAll(tagPattern)) {
      const tag = normalizeTag(name);
      if (tag !== "" && /[\p{L}\p{Extended_Pictographic}]/u.test(tag)) tags.add(tag);
    }
    if (tags.size >= maxTags) break;
  }
  return [...tags].slice(0, maxTags);
}

/** Most documents have headings, but no tags: a quick check before code is distinguished from text. */
const mayHaveTag = (line: string): boolean => line.includes("#") && /(?:^|\s)#[^\s#]/.test(line);

/** A tag without `#` and without empty levels: `#area//topic/` → `area/topic`. */
export const normalizeTag = (tag: string): string =>
  tag.trim().replace(/^#/, "").split("/").filter(Boolean).join("/").slice(0, maxTagLength);

/** The lines outside front matter, fenced code and indented code. Fences may be quoted or in a list. */
function* proseLines(lines: readonly string[]): Generator<string> {
  let fence: { mark: string; quotes: number } | undefined;
  let isCode = false;
  let isInList = false;
  let previous = "";
  for (const line of lines.slice(frontmatterLength(lines))) {
    const { quotes, content } = withoutQuotes(line);
    const isBlank = line.trim() === "";
    const mark = fenceMarker(isInList ? content.trimStart() : content);
    // Code in a quote ends with the quote.
    if (fence && quotes < fence.quotes) fence = undefined;
    if (fence) {
      const isEnd = mark?.startsWith(fence.mark) && content.trim() === mark;
      if (isEnd && quotes === fence.quotes) fence = undefined;
    } else if (mark !== undefined) {
      fence = { mark, quotes };
    } else if (!isBlank) {
      const isIndented = /^(?: {4}|\t)/.test(line);
      // In a list, indented lines are paragraphs of an item; after text, they continue it.
      isCode = isIndented && !isInList && (isCode || previous.trim() === "");
      if (!isIndented) isInList = /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line);
      if (!isCode) yield line;
    }
    previous = line;
  }
}

/** `> > text` is `text` in two quotes. */
function withoutQuotes(line: string): { quotes: number; content: string } {
  const sign = /^ {0,3}>[> \t]*/.exec(line)?.[0] ?? "";
  return { quotes: sign.split(">").length - 1, content: line.slice(sign.length) };
}

/** Empties code spans. A run of backticks without one of the same length is text. */
function withoutCodeSpans(line: string): string {
  if (!line.includes("`")) return line;
  const parts = line.split(/(`+)/);
  const lastOfLength = new Map(parts.map((part, index) => [index % 2 ? part.length : 0, index]));
  let text = "";
  for (let index = 0; index < parts.length; index++) {
    const part = elementAt(parts, index);
    text += part;
    if (index % 2 === 0 || (lastOfLength.get(part.length) ?? 0) <= index) continue;
    do index += 2;
    while (parts[index]?.length !== part.length);
    text += part;
  }
  return text;
}
