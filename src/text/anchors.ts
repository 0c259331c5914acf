import { headingsOf } from "./headings.ts";

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
  const headings = [...headingsOf(lines)];
  const seen = new Map<string, number>();
  for (const [place, { title, depth, line }] of headings.entries()) {
    const words = anchorOf(title);
    let times = seen.get(words) ?? 0;
    let name = words;
    while (seen.has(name)) name = `${words}-${++times}`;
    seen.set(words, times);
    seen.set(name, seen.get(name) ?? 0);
    if (name !== wanted) continue;
    const next = headings.slice(place + 1).find((other) => other.depth <= depth);
    return { line, count: (next?.line ?? lines.length + 1) - line };
  }
  return undefined;
}

const anchorOf = (heading: string): string =>
  heading
    .trim()
    .normalize()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
