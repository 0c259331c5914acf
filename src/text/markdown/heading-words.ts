import { type Definitions, readInline } from "./inline.ts";
import { meant } from "./written.ts";

/** Stands for an underscore that is a letter of the text, while the others are looked at. */
const kept = "\ue000";

/** Stands for a picture or a tag: it is not seen, yet the blank behind it is not the first letter. */
const unseenThing = "\u2060";

/** What is longer is a text that somebody put behind a `#`. */
const longestHeading = 2_000;

/**
 * The words of a heading, from which its anchor is made: those of links and of code, none of
 * pictures, tags and marks. A blank behind a picture counts, as it does on GitHub.
 */
export function anchorWords(heading: string, definitions: Definitions): string {
  const written = heading.slice(0, longestHeading);
  const { unseen, codes } = readInline(written, definitions);
  const isCode = (at: number): boolean => codes.some(([start, end]) => at >= start && at < end);
  let words = "";
  let at = 0;
  for (const [start, end] of [...unseen].sort(([a], [b]) => a - b)) {
    if (start < at) continue;
    words += read(at, start) + (/^(<|!\[)/.test(written.slice(start, end)) ? unseenThing : "");
    at = end;
  }
  return withoutEmphasis(words + read(at, written.length)).replaceAll(kept, "_");

  function read(start: number, end: number): string {
    const piece = written.slice(start, end);
    if (isCode(start)) return piece.replaceAll("_", kept);
    return meant(written[start - 1] === "\\" ? piece.replace(/^_/, kept) : piece);
  }
}

/** The same as a reader has it before his eyes. */
export const titleFrom = (words: string): string =>
  words.replaceAll(unseenThing, "").replace(/\s+/g, " ").trim();

/** Underscores around words are emphasis; within words they are letters. */
const withoutEmphasis = (text: string): string =>
  text
    .replace(
      /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])((?:[^_]|_(?=[\p{L}\p{N}]))*?[^\s_])\1(?![\p{L}\p{N}_])/gu,
      "$2",
    )
    .replace(/(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1/g, "$2");
