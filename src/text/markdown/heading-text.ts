import { type LinkDefinitions, parseInline } from "./inline.ts";
import { unescapeMarkdown } from "./unescape.ts";

/** Placeholder for a literal underscore while emphasis is removed. */
const literalUnderscore = "\ue000";

/** Placeholder for an image or tag, so that the space after it is not trimmed. */
const invisibleMark = "\u2060";

/** Longer headings are cut. */
const maxHeadingLength = 2_000;

/**
 * The text of a heading from which its anchor is generated: with the text of links and code, without
 * images, tags and markup. As on GitHub, the space after an image becomes part of the anchor.
 */
export function anchorText(heading: string, definitions: LinkDefinitions): string {
  const source = heading.slice(0, maxHeadingLength);
  const { hiddenRanges, codeRanges } = parseInline(source, definitions);
  const isCode = (at: number): boolean =>
    codeRanges.some(([start, end]) => at >= start && at < end);
  let text = "";
  let at = 0;
  for (const [start, end] of [...hiddenRanges].sort(([a], [b]) => a - b)) {
    if (start < at) continue;
    text += readText(at, start) + (/^(<|!\[)/.test(source.slice(start, end)) ? invisibleMark : "");
    at = end;
  }
  return withoutEmphasis(text + readText(at, source.length)).replaceAll(literalUnderscore, "_");

  function readText(start: number, end: number): string {
    const piece = source.slice(start, end);
    if (isCode(start)) return piece.replaceAll("_", literalUnderscore);
    return unescapeMarkdown(
      source[start - 1] === "\\" ? piece.replace(/^_/, literalUnderscore) : piece,
    );
  }
}

/** The visible title for a result of `anchorText`. */
export const visibleTitle = (text: string): string =>
  text.replaceAll(invisibleMark, "").replace(/\s+/g, " ").trim();

/** Underscores around words are emphasis; inside words they are literal. */
const withoutEmphasis = (text: string): string =>
  text
    .replace(
      /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])((?:[^_]|_(?=[\p{L}\p{N}]))*?[^\s_])\1(?![\p{L}\p{N}_])/gu,
      "$2",
    )
    .replace(/(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1/g, "$2");
