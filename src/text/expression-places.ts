import { unreadable } from "./expression-grammar.ts";
import type { Step } from "./expression-steps.ts";
import type { Place } from "./quotes.ts";

/** As many bits are kept at once: each letter of the text has one for each step. */
const mostBits = 800_000_000;

/**
 * Where an expression fits, in two walks. The one from the end of the text to its start notes at
 * each letter which steps can still be finished from there. The one from the start then takes at
 * each fork the first way that can be finished, so it never turns back, and goes on behind what it
 * has found.
 */
export function placesOfSteps(steps: readonly Step[], text: string, most: number): Place[] {
  const finishable = stepsThatFinish(steps, text);
  const places: Place[] = [];
  for (let start = 0; start < text.length && places.length < most; ) {
    const end = finishable(start, 0) ? endFrom(steps, text, start, finishable) : start;
    if (end > start) places.push({ start, end });
    start = end > start ? end : start + letterAt(text, start).length;
  }
  return places;
}

/** Whether the end of the expression can be reached from a step, at a place in the text. */
type Finishable = (at: number, step: number) => boolean;

function stepsThatFinish(steps: readonly Step[], text: string): Finishable {
  const width = Math.ceil(steps.length / 32);
  if ((text.length + 1) * width * 32 > mostBits) {
    throw unreadable("it is too large for a text of this length");
  }
  const bits = new Uint32Array((text.length + 1) * width);
  const isSet = (at: number, step: number): boolean =>
    (((bits[at * width + (step >>> 5)] ?? 0) >>> (step & 31)) & 1) === 1;
  const set = (at: number, step: number): void => {
    const index = at * width + (step >>> 5);
    bits[index] = (bits[index] ?? 0) | (1 << (step & 31));
  };
  const leadingTo = stepsBefore(steps);
  const taking = stepsByLetter(steps);
  const last = steps.findIndex(({ kind }) => kind === "end");
  const open: number[] = [];
  let after = "";
  for (let at = text.length; at >= 0; at -= after.length || 1) {
    const before = letterBefore(text, at);
    open.push(last);
    for (const { number, next } of after === "" ? [] : taking(after)) {
      if (isSet(at + after.length, next)) open.push(number);
    }
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (isSet(at, step)) continue;
      set(at, step);
      for (const previous of leadingTo[step] ?? []) {
        const way = steps[previous];
        if (way?.kind !== "place" || way.test(before, after)) open.push(previous);
      }
    }
    after = before;
  }
  return isSet;
}

/** The steps that take a letter. A text has few different letters, so each is tried once. */
function stepsByLetter(
  steps: readonly Step[],
): (letter: string) => { number: number; next: number }[] {
  const known = new Map<string, { number: number; next: number }[]>();
  return (letter) => {
    const found =
      known.get(letter) ??
      steps.flatMap((step, number) =>
        step.kind === "letter" && step.test(letter) ? [{ number, next: step.next }] : [],
      );
    known.set(letter, found);
    return found;
  };
}

/** For each step the forks and places that lead to it, and take no letter on the way. */
function stepsBefore(steps: readonly Step[]): number[][] {
  const before: number[][] = steps.map(() => []);
  for (const [number, step] of steps.entries()) {
    if (step.kind === "fork") before[step.other]?.push(number);
    if (step.kind === "fork" || step.kind === "place") before[step.next]?.push(number);
  }
  return before;
}

/** The end of the match that begins here; there is one. */
function endFrom(
  steps: readonly Step[],
  text: string,
  start: number,
  isFinishable: Finishable,
): number {
  let step = 0;
  for (let at = start; ; at += letterAt(text, at).length) {
    const letter = preferred(steps, step, (one) => isFinishable(at, one));
    if (letter === undefined) return at;
    step = letter.next;
  }
}

/** The first letter on the preferred way from a step; none where that way leads to the end. */
function preferred(
  steps: readonly Step[],
  from: number,
  isFinishable: (step: number) => boolean,
): Extract<Step, { kind: "letter" }> | undefined {
  const seen = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const step = steps[at];
    // Repeats of what may be empty lead back to where they began.
    if (!step || seen.has(at) || !isFinishable(at)) continue;
    seen.add(at);
    if (step.kind === "letter") return step;
    if (step.kind === "end") return undefined;
    if (step.kind === "fork") open.push(step.other);
    open.push(step.next);
  }
  return undefined;
}

const letterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : "";

/** The letter that ends here, which may have two units. */
function letterBefore(text: string, at: number): string {
  const letter = letterAt(text, at - 2);
  return letter.length === 2 ? letter : text.charAt(at - 1);
}
