import { elementAt } from "../../../src/text/arrays/element-at.ts";

/** A half-open range of the text, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}

export interface OverlapRun<Over extends Span> extends Span {
  /** The spans that cover the whole run. */
  over: readonly Over[];
}

/**
 * Cuts a text at every start and end of a span, so that overlapping spans need not nest.
 *
 *     over    ---aaaaaa---
 *             -----bbbbbb-
 *     runs    |  |a|ab|b||
 */
export function splitOverlaps<Over extends Span>(
  length: number,
  spans: readonly Over[],
): OverlapRun<Over>[] {
  const ordered = spans
    .filter(({ start, end }) => start < end && start < length && end > 0)
    .sort((a, b) => a.start - b.start);
  const borders = ordered.flatMap(({ start, end }) => [Math.max(start, 0), Math.min(end, length)]);
  const cuts = [...new Set([0, ...borders, length])].sort((a, b) => a - b);
  let open: Over[] = [];
  let next = 0;
  return cuts.slice(0, -1).map((start, index) => {
    for (let span = ordered[next]; span && span.start <= start; span = ordered[++next]) {
      open.push(span);
    }
    open = open.filter(({ end }) => end > start);
    return { start, end: elementAt(cuts, index + 1), over: [...open] };
  });
}

/** Assigns each span the lowest lane that is free at its start (greedy interval colouring). */
export function assignLanes<Over extends Span>(spans: readonly Over[]): Map<Over, number> {
  const ends: number[] = [];
  const lanes = new Map<Over, number>();
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const free = ends.findIndex((end) => end <= span.start);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = span.end;
    lanes.set(span, lane);
  }
  return lanes;
}
