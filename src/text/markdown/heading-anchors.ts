import { type Heading, readHeadings } from "./headings.ts";

/** The lines of a section, up to the next heading of the same or a higher level. */
export interface LineRange {
  line: number;
  count: number;
}

/**
 * Finds a section by heading text or anchor: `Fault tolerance`, `fault-tolerance`. Repeated
 * headings have anchors with the next free number: `fault-tolerance-1`.
 */
export function findSectionByAnchor(
  lines: readonly string[],
  anchor: string,
): LineRange | undefined {
  const wanted = toAnchor(anchor);
  if (wanted === "") return undefined;
  const headings = [...headingsWithAnchors(lines)];
  const index = headings.findIndex(({ anchor }) => anchor === wanted);
  const heading = headings[index];
  if (!heading) return undefined;
  const next = headings.slice(index + 1).find(({ depth }) => depth <= heading.depth);
  return { line: heading.line, count: (next?.line ?? lines.length + 1) - heading.line };
}

/** All headings with their unique anchors. */
export function* headingsWithAnchors(
  lines: readonly string[],
): Generator<Heading & { anchor: string }> {
  const nameOf = createAnchorNamer();
  for (const heading of readHeadings(lines)) yield { ...heading, anchor: nameOf(heading.title) };
}

/** Returns unique anchors for the headings of one document, called in document order. */
export function createAnchorNamer(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const base = toAnchor(heading);
    let suffix = seen.get(base) ?? 0;
    let anchor = base;
    while (seen.has(anchor)) anchor = `${base}-${++suffix}`;
    seen.set(base, suffix);
    seen.set(anchor, seen.get(anchor) ?? 0);
    return anchor;
  };
}

const toAnchor = (heading: string): string =>
  heading
    .trim()
    .normalize()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
