import { charClassOf, separatorClass } from "./tokens.ts";

/**
 * Whether a line holds little but links: an item of "See also" or of a table of contents.
 *
 * ```
 * - [Lamps](lamps.md)      yes        Read [Lamps](lamps.md) before you light one.      no
 * - Learn more about [lamps of towers](lamps.md)                                        yes
 * ```
 */
export function isLinkLine(line: string): boolean {
  if (!hasLink(line)) return false;
  return isMostly(line, linkPattern, listItem.test(line) ? maxRestOfItem : maxRestShare);
}

const listItem = /^\s*[-*+] /;

/** Whether a line holds little but macros and comments: `{{CSSRef("lamp")}}`, `<!-- body -->`. */
export function isMacroLine(line: string): boolean {
  return /\{[{%]|<!--/.test(line) && isMostly(line, macroPattern, maxRestShare);
}

/** Whether the letters outside the groups of a pattern are at most this share of those inside. */
function isMostly(line: string, pattern: RegExp, maxRest: number): boolean {
  let inside = 0;
  let rest = 0;
  let at = 0;
  for (const { 0: whole, 1: text = "", 2: name = "", index } of line.matchAll(pattern)) {
    rest += countLetters(line, at, index);
    inside += countLetters(text) + countLetters(name);
    at = index + whole.length;
  }
  return inside > 0 && rest + countLetters(line, at) <= inside * maxRest;
}

/** Whether most lines of a passage are such lines. */
export function isLinkList(text: string): boolean {
  const links = countOf(text, "](") + countOf(text, "[[");
  if (links < minLinks || links < minLinkShare * countLines(text)) return false;
  const lines = text.split("\n").filter((line) => /^[^#]/.test(line));
  const linkLines = lines.filter(isLinkLine).length;
  return linkLines >= minLinks && linkLines >= lines.length * minLinkShare;
}

function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) count++;
  return count;
}

/** The number of lines that are neither empty nor headings. */
function countLines(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] !== "\n" && text[at] !== "#") count++;
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return count;
}

const hasLink = (text: string): boolean => text.includes("](") || text.includes("[[");

/** `[text](target)` or `[[name]]`, with bounds so that a line of brackets takes linear time. */
const linkPattern =
  /\[([^[\]]{1,200})\]\([^()\s]{0,500}(?:\s[^()]{0,200})?\)|\[\[([^[\]]{1,200})\]\]/g;

/** Macros of Hugo, Jekyll, Liquid and MDN, and comments, with bounds for the same reason. */
const macroPattern = /(\{[{%][^{}]{1,300}\}\}?|<!--[^<>]{1,300}-->)/g;

const maxRestShare = 0.5;
/** An item of a list may say what to do with its link: "Read about". */
const maxRestOfItem = 1;
const minLinks = 2;
const minLinkShare = 0.7;

function countLetters(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (charClassOf(text.charCodeAt(at)) !== separatorClass) count++;
  }
  return count;
}
