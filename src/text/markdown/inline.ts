import { wikiLinkAt } from "../wiki-links.ts";
import { inlineTarget, labelAt, normalized } from "./destinations.ts";
import { passerOver, type Tag, tagAt } from "./tags.ts";
import { meant } from "./written.ts";

/** Where a reference leads, and the line that says so. */
export interface Definition {
  destination: string;
  line: number;
}

export type Definitions = ReadonlyMap<string, Definition>;

/** A link in running text. */
interface InlineLink {
  kind: "link" | "image" | "autolink" | "wiki";
  /** Undefined where a reference is defined nowhere; of a wiki link, the name and the heading. */
  destination: string | undefined;
  /** Where it begins in the text. */
  at: number;
  /** Behind it. */
  end: number;
  /** What is seen of it, as a pair of places. */
  words: [number, number];
  /** As it is written. */
  written: string;
  definition?: Definition;
  /** True for an address that stands in the text without any brackets. */
  isBare?: true;
}

export interface Inline {
  links: InlineLink[];
  tags: Tag[];
  /** What no reader sees: brackets, destinations, pictures, tags. Pairs of places. */
  unseen: [number, number][];
  /** Code within the text, between its backticks. */
  codes: [number, number][];
}

interface Opener {
  at: number;
  isImage: boolean;
  /** Links that were found before it. */
  known: number;
  /** True where another bracket opens behind it, so that it encloses no label. */
  hasInner: boolean;
}

/**
 * Reads the links of a text as CommonMark and GitHub do: code goes before links, links hold no
 * links, and what is escaped is a letter. Every letter is looked at a bounded number of times.
 */
export function readInline(text: string, definitions: Definitions): Inline {
  const inline: Inline = { links: [], tags: [], unseen: [], codes: [] };
  const { links, tags, unseen, codes } = inline;
  const openers: Opener[] = [];
  const backticks = backtickRuns(text);
  const passedOver = passerOver(text);
  // Below this many openers none can become a link, since a link was found inside them.
  let spent = 0;
  let at = 0;
  while (at < text.length) at = step(at);
  return inline;

  function step(from: number): number {
    switch (text[from]) {
      case "\\": {
        const isEscape = /[!-/:-@[-`{-~]/.test(text[from + 1] ?? "");
        if (isEscape) unseen.push([from, from + 1]);
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
    unseen.push([from, from + length], [close, close + length]);
    codes.push([from + length, close]);
    return close + length;
  }

  function angle(from: number): number {
    const address = addressAt(text, from);
    if (address) {
      links.push({
        kind: "autolink",
        destination: address.destination,
        at: from,
        end: address.end,
        words: [from + 1, address.end - 1],
        written: text.slice(from, address.end),
      });
      unseen.push([from, from + 1], [address.end - 1, address.end]);
      return address.end;
    }
    const tag = tagAt(text, from);
    if (tag) tags.push(tag);
    const end = tag?.end ?? passedOver(from);
    if (end === undefined) return from + 1;
    unseen.push([from, end]);
    return end;
  }

  /** Where the brackets are Markdown's own, `[[1]](notes.md)`, they stay so. Marks stay seen. */
  function wiki(from: number): number | undefined {
    const link = wikiLinkAt(text, from);
    if (!link) return undefined;
    const { name, heading, words, end } = link;
    const start = text.indexOf("[[", from) + 2;
    if (text[end] === "(" && inlineTarget(text, end + 1)) return undefined;
    if (definitions.has(normalized(text.slice(start, end - 2)))) return undefined;
    const above = openers.at(-1);
    if (above) above.hasInner = true;
    const destination = heading === "" ? name : `${name}#${heading}`;
    const written = text.slice(from, end);
    links.push({ kind: "wiki", destination, at: from, end, words, written });
    return end;
  }

  function open(from: number, isImage: boolean): number {
    const above = openers.at(-1);
    if (above) above.hasInner = true;
    openers.push({ at: from, isImage, known: links.length, hasInner: false });
    return from + (isImage ? 2 : 1);
  }

  function close(from: number): number {
    const opener = openers.pop();
    if (!opener) return from + 1;
    const isSpent = !opener.isImage && openers.length < spent;
    spent = Math.min(spent, openers.length);
    if (isSpent) return from + 1;
    const target = targetBehind(opener, from);
    if (!target) return from + 1;
    const { end, destination, definition } = target;
    const kind = opener.isImage ? "image" : "link";
    // What describes a picture is no link, whatever stands in it.
    if (opener.isImage) links.length = opener.known;
    else {
      spent = openers.length;
      dropInner(opener.known);
    }
    const written = text.slice(opener.at, Math.min(end, opener.at + 300));
    const words: [number, number] = [opener.at + (opener.isImage ? 2 : 1), from];
    const place = { at: opener.at, end, words };
    links.push({ kind, destination, ...place, written, ...(definition && { definition }) });
    if (destination === undefined) return end;
    if (opener.isImage) unseen.push([opener.at, end]);
    else unseen.push([opener.at, opener.at + 1], [from, end]);
    return end;
  }

  /** Behind the text of a link: its destination, its label, or the text itself as a label. */
  function targetBehind(
    opener: Opener,
    from: number,
  ): { end: number; destination: string | undefined; definition?: Definition } | undefined {
    const inside = text[from + 1] === "(" ? inlineTarget(text, from + 2) : undefined;
    if (inside) return inside;
    const start = opener.at + (opener.isImage ? 2 : 1);
    const isFull = text[from + 1] === "[" && text[from + 2] !== "]";
    const full = isFull ? labelAt(text, from + 1) : undefined;
    const isCollapsed = text.startsWith("[]", from + 1);
    const own = opener.hasInner || from - start > 999 ? "" : normalized(text.slice(start, from));
    const label = full?.label ?? own;
    const end = full?.end ?? from + (isCollapsed ? 3 : 1);
    if (label === "" || label.startsWith("^")) return undefined;
    const definition = definitions.get(label);
    if (definition) return { end, destination: definition.destination, definition };
    const isMeant =
      (full || isCollapsed) && own !== "" && !/[\w)\]]/.test(text[opener.at - 1] ?? "");
    return isMeant ? { end, destination: undefined } : undefined;
  }

  /** An address or a name in the text of a link is the link's text, and no link of its own. */
  function dropInner(from: number): void {
    for (let index = links.length - 1; index >= from; index--) {
      if (links[index]?.isBare || links[index]?.kind === "wiki") links.splice(index, 1);
    }
  }

  function bare(from: number): number {
    if (!/^$|[\s*_~([|"']/.test(text[from - 1] ?? "")) return from + 1;
    const address = /(?:https?:\/\/|www\.)[^\s<[\]]{1,2000}/iy;
    address.lastIndex = from;
    const found = address.exec(text)?.[0];
    const trimmed = found === undefined ? "" : withoutEnd(found);
    if (!/^(?:https?:\/\/|www\.)[\w-]+(?:[.:/?#]|$)/i.test(trimmed)) return from + 1;
    const destination = /^www\./i.test(trimmed) ? `http://${trimmed}` : trimmed;
    links.push({
      kind: "autolink",
      destination: meant(destination),
      at: from,
      end: from + trimmed.length,
      words: [from, from + trimmed.length],
      written: trimmed,
      isBare: true,
    });
    return from + trimmed.length;
  }
}

/** The next place where something could begin. */
function nextMark(text: string, from: number): number {
  const mark = /[\\`<![\]hwHW]/g;
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

/** `<https://…>` and `<someone@…>`. */
function addressAt(text: string, from: number): { destination: string; end: number } | undefined {
  const address =
    /<(?:([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,4000})|([\w.!#$%&'*+/=?^`{|}~-]{1,200}@[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9])?))>/iy;
  address.lastIndex = from;
  const found = address.exec(text);
  if (!found) return undefined;
  return { destination: found[1] ?? `mailto:${found[2]}`, end: address.lastIndex };
}

/** The marks that end a sentence end the address too; a parenthesis does, unless it opens inside. */
function withoutEnd(address: string): string {
  let end = address.length - (/[?!.,:*_~'";]+$/.exec(address)?.[0].length ?? 0);
  const count = (sign: string) => address.slice(0, end).split(sign).length;
  let surplus = count(")") - count("(");
  while (surplus-- > 0 && address[end - 1] === ")") end--;
  return address.slice(0, end);
}

/** For a run of backticks, the next run of its length: what is between them is code. */
function backtickRuns(text: string): (from: number) => { length: number; close?: number } {
  let places: Map<number, number[]> | undefined;
  return (from) => {
    places ??= runsByLength(text);
    const length = /`+/y.exec(text.slice(from, from + 1_000))?.[0].length ?? 1;
    const runs = places.get(length) ?? [];
    while (runs.length > 0 && (runs.at(-1) ?? 0) <= from) runs.pop();
    const close = runs.at(-1);
    return close === undefined ? { length } : { length, close };
  };
}

/** Where runs of each length begin, the last one first. */
function runsByLength(text: string): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const run of [...text.matchAll(/`+/g)].reverse()) {
    const known = places.get(run[0].length);
    if (known) known.push(run.index);
    else places.set(run[0].length, [run.index]);
  }
  return places;
}
