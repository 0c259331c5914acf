import { type Heading, headingsOf } from "./headings.ts";

/** The lines of a section: from its heading to the next one that is not below it. */
export interface Stretch {
  line: number;
  count: number;
}

/**
 * The section that an anchor names, by the words of its heading or as web pages shorten them:
 * `Fault tolerance`, `fault-tolerance`. Of equal headings the second is `fault-tolerance-1`, or
 * the next number that no heading before it has.
 */
export function sectionAt(lines: readonly string[], anchor: string): Stretch | undefined {
  const wanted = anchorOf(anchor);
  if (wanted === "") return undefined;
  const headings = [...anchoredHeadings(lines)];
  const place = headings.findIndex((heading) => heading.anchor === wanted);
  const found = headings[place];
  if (!found) return undefined;
  const next = headings.slice(place + 1).find((other) => other.depth <= found.depth);
  return { line: found.line, count: (next?.line ?? lines.length + 1) - found.line };
}

/** Every heading with the anchor that names it and no other. */
export function* anchoredHeadings(
  lines: readonly string[],
): Generator<Heading & { anchor: string }> {
  const nameOf = anchorNames();
  for (const heading of headingsOf(lines)) yield { ...heading, anchor: nameOf(heading.title) };
}

/** Names the headings of one document, which are given in their order. */
export function anchorNames(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const words = anchorOf(heading);
    let times = seen.get(words) ?? 0;
    let anchor = words;
    while (seen.has(anchor)) anchor = `${words}-${++times}`;
    seen.set(words, times);
    seen.set(anchor, seen.get(anchor) ?? 0);
    return anchor;
  };
}

const anchorOf = (heading: string): string =>
  heading
    .trim()
    .normalize()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
