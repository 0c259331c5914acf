import { elementAt } from "../arrays/element-at.ts";
import { createCommentSkipper, type HtmlTag, htmlTagAt } from "./html-tags.ts";
import { inlineDestinationAt, linkLabelAt, normaliseLabel } from "./link-syntax.ts";
import { unescapeMarkdown } from "./unescape.ts";
import { wikiLinkAt } from "./wiki-links.ts";

/** A link reference definition. */
export interface LinkDefinition {
  destination: string;
  line: number;
}

export type LinkDefinitions = ReadonlyMap<string, LinkDefinition>;

interface InlineLink {
  kind: "link" | "image" | "autolink" | "wiki";
  /** Undefined for an undefined reference; the name and heading for a wiki link. */
  destination: string | undefined;
  /** The start offset. */
  at: number;
  end: number;
  /** The offsets of the visible text. */
  textRange: [number, number];
  /** The source text. */
  written: string;
  definition?: LinkDefinition;
  /** True for a URL without brackets. */
  isBare?: true;
}

export interface InlineContent {
  links: InlineLink[];
  tags: HtmlTag[];
  /** The ranges that are not visible text: brackets, destinations, images, tags. */
  hiddenRanges: [number, number][];
  /** The contents of code spans. */
  codeRanges: [number, number][];
}

interface Opener {
  at: number;
  isImage: boolean;
  /** The number of links before it. */
  linkCount: number;
  /** True if another bracket opens after it, so that its content cannot be a label. */
  hasInner: boolean;
}

/**
 * Parses the links of a text as CommonMark and GitHub do: code spans take precedence over links,
 * links cannot contain links, escapes are literal. Runs in linear time.
 */
export function parseInline(text: string, definitions: LinkDefinitions): InlineContent {
  const inline: InlineContent = { links: [], tags: [], hiddenRanges: [], codeRanges: [] };
  const { links, tags, hiddenRanges, codeRanges } = inline;
  const openers: Opener[] = [];
  const backticks = backtickRuns(text);
  const skipComment = createCommentSkipper(text);
  // Openers below this index already contain a link, so they cannot become links.
  let inactiveOpeners = 0;
  let at = 0;
  while (at < text.length) at = step(at);
  return inline;

  function step(from: number): number {
    switch (text[from]) {
      case "\\": {
        const isEscape = /[!-/:-@[-`{-~]/.test(text[from + 1] ?? "");
        if (isEscape) hiddenRanges.push([from, from + 1]);
        return from + (isEscape ? 2 : 1);
      }
      case "`":
        return code(from);
      case "<":
        return angle(from);
      case "!":
        return text[from + 1] === "[" ? (wiki(from) ?? open(from, true)) : from + 1;
      case "[":
        return wiki(from) ?? open(from, false);
      case "]":
        return close(from);
      case "h":
      case "w":
      case "H":
      case "W":
        return bare(from);
      default:
        return nextMark(text, from + 1);
    }
  }

  function code(from: number): number {
    const { length, close } = backticks(from);
    if (close === undefined) return from + length;
    hiddenRanges.push([from, from + length], [close, close + length]);
    codeRanges.push([from + length, close]);
    return close + length;
  }

  function angle(from: number): number {
    const address = autolinkAt(text, from);
    if (address) {
      links.push({
        kind: "autolink",
        destination: address.destination,
        at: from,
        end: address.end,
        textRange: [from + 1, address.end - 1],
        written: text.slice(from, address.end),
      });
      hiddenRanges.push([from, from + 1], [address.end - 1, address.end]);
      return address.end;
    }
    const tag = htmlTagAt(text, from);
    if (tag) tags.push(tag);
    const end = tag?.end ?? skipComment(from);
    if (end === undefined) return from + 1;
    hiddenRanges.push([from, end]);
    return end;
  }

  /** Not a wiki link if Markdown reads the brackets as a link: `[[1]](notes.md)`. */
  function wiki(from: number): number | undefined {
    const link = wikiLinkAt(text, from);
    if (!link) return undefined;
    const { name, heading, textRange, end } = link;
    const start = text.indexOf("[[", from) + 2;
    if (text[end] === "(" && inlineDestinationAt(text, end + 1)) return undefined;
    if (definitions.has(normaliseLabel(text.slice(start, end - 2)))) return undefined;
    const enclosing = openers.at(-1);
    if (enclosing) enclosing.hasInner = true;
    const destination = heading === "" ? name : `${name}#${heading}`;
    const written = text.slice(from, end);
    links.push({ kind: "wiki", destination, at: from, end, textRange, written });
    return end;
  }

  function open(from: number, isImage: boolean): number {
    const enclosing = openers.at(-1);
    if (enclosing) enclosing.hasInner = true;
    openers.push({ at: from, isImage, linkCount: links.length, hasInner: false });
    return from + (isImage ? 2 : 1);
  }

  function close(from: number): number {
    const opener = openers.pop();
    if (!opener) return from + 1;
    const isInactive = !opener.isImage && openers.length < inactiveOpeners;
    inactiveOpeners = Math.min(inactiveOpeners, openers.length);
    if (isInactive) return from + 1;
    const target = targetAfter(opener, from);
    if (!target) return from + 1;
    const { end, destination, definition } = target;
    const kind = opener.isImage ? "image" : "link";
    // Links inside an image description do not count.
    if (opener.isImage) links.length = opener.linkCount;
    else {
      inactiveOpeners = openers.length;
      dropInner(opener.linkCount);
    }
    const written = text.slice(opener.at, Math.min(end, opener.at + 300));
    const textRange: [number, number] = [opener.at + (opener.isImage ? 2 : 1), from];
    const place = { at: opener.at, end, textRange };
    links.push({ kind, destination, ...place, written, ...(definition && { definition }) });
    if (destination === undefined) return end;
    if (opener.isImage) hiddenRanges.push([opener.at, end]);
    else hiddenRanges.push([opener.at, opener.at + 1], [from, end]);
    return end;
  }

  /** The target after the link text: a destination, a label, or the text itself as a label. */
  function targetAfter(
    opener: Opener,
    from: number,
  ): { end: number; destination: string | undefined; definition?: LinkDefinition } | undefined {
    const inside = text[from + 1] === "(" ? inlineDestinationAt(text, from + 2) : undefined;
    if (inside) return inside;
    const start = opener.at + (opener.isImage ? 2 : 1);
    const isFull = text[from + 1] === "[" && text[from + 2] !== "]";
    const full = isFull ? linkLabelAt(text, from + 1) : undefined;
    const isCollapsed = text.startsWith("[]", from + 1);
    const own =
      opener.hasInner || from - start > 999 ? "" : normaliseLabel(text.slice(start, from));
    const label = full?.label ?? own;
    const end = full?.end ?? from + (isCollapsed ? 3 : 1);
    if (label === "" || label.startsWith("^")) return undefined;
    const definition = definitions.get(label);
    if (definition) return { end, destination: definition.destination, definition };
    const isReference =
      (full || isCollapsed) && own !== "" && !/[\w)\]]/.test(text[opener.at - 1] ?? "");
    return isReference ? { end, destination: undefined } : undefined;
  }

  /** Removes bare URLs and wiki links inside the text of a link. */
  function dropInner(from: number): void {
    for (let index = links.length - 1; index >= from; index--) {
      if (links[index]?.isBare || links[index]?.kind === "wiki") links.splice(index, 1);
    }
  }

  function bare(from: number): number {
    if (!/^$|[\s*_~([|"']/.test(text[from - 1] ?? "")) return from + 1;
    const address = /(?:https?:\/\/|www\.)[^\s<[\]]{1,2000}/iy;
    address.lastIndex = from;
    const match = address.exec(text)?.[0];
    const trimmed = match === undefined ? "" : trimAddressEnd(match);
    if (!/^(?:https?:\/\/|www\.)[\w-]+(?:[.:/?#]|$)/i.test(trimmed)) return from + 1;
    const destination = /^www\./i.test(trimmed) ? `http://${trimmed}` : trimmed;
    links.push({
      kind: "autolink",
      destination: unescapeMarkdown(destination),
      at: from,
      end: from + trimmed.length,
      textRange: [from, from + trimmed.length],
      written: trimmed,
      isBare: true,
    });
    return from + trimmed.length;
  }
}

/** The next character that could start a construct. */
function nextMark(text: string, from: number): number {
  const mark = /[\\`<![\]hwHW]/g;
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

/** `<https://…>` and `<someone@…>`. */
function autolinkAt(text: string, from: number): { destination: string; end: number } | undefined {
  const address =
    /<(?:([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,4000})|([\w.!#$%&'*+/=?^`{|}~-]{1,200}@[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9])?))>/iy;
  address.lastIndex = from;
  const match = address.exec(text);
  if (!match) return undefined;
  return { destination: match[1] ?? `mailto:${match[2]}`, end: address.lastIndex };
}

/** Removes trailing punctuation and unbalanced closing parentheses from a bare URL. */
function trimAddressEnd(address: string): string {
  let end = address.length - (/[?!.,:*_~'";]+$/.exec(address)?.[0].length ?? 0);
  const count = (sign: string) => address.slice(0, end).split(sign).length;
  let surplus = count(")") - count("(");
  while (surplus-- > 0 && address[end - 1] === ")") end--;
  return address.slice(0, end);
}

/** For the backtick run at an offset, the next run of the same length, which closes its code span. */
function backtickRuns(text: string): (from: number) => { length: number; close?: number } {
  let runsOfLength: Map<number, number[]> | undefined;
  return (from) => {
    runsOfLength ??= runsByLength(text);
    const length = /`+/y.exec(text.slice(from, from + 1_000))?.[0].length ?? 1;
    const runs = runsOfLength.get(length) ?? [];
    while (runs.length > 0 && elementAt(runs, runs.length - 1) <= from) runs.pop();
    const close = runs.at(-1);
    return close === undefined ? { length } : { length, close };
  };
}

/** The offsets of backtick runs by length, last first. */
function runsByLength(text: string): Map<number, number[]> {
  const offsets = new Map<number, number[]>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const ofLength = offsets.get(run.length);
    if (ofLength) ofLength.push(index);
    else offsets.set(run.length, [index]);
  }
  return offsets;
}
