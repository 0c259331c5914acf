import { elementAt } from "../arrays/element-at.ts";
import { columnAt } from "../arrays/growable-column.ts";
import type { TextSpan } from "../spans/quote-search.ts";
import { invalidPattern } from "./regex-parser.ts";
import type { PatternInstruction } from "./regex-program.ts";

/** Limit on the reachability table, which has one bit per state and text position: 100 MB. */
const maxTableBits = 800_000_000;

/**
 * Finds matches with leftmost-first (Perl) semantics in linear time, in two passes over the text.
 * The backward pass records, for each position, the NFA states from which the accepting state can
 * be reached. The forward pass then takes the preferred branch of each split that can still
 * succeed, so it never backtracks. The search continues after the end of each match.
 */
export function matchSpans(
  program: readonly PatternInstruction[],
  text: string,
  limit: number,
): TextSpan[] {
  const canAccept = reachabilityTable(program, text);
  const spans: TextSpan[] = [];
  for (let start = 0; start < text.length && spans.length < limit; ) {
    const end = canAccept(start, 0) ? matchEnd(program, text, start, canAccept) : start;
    if (end > start) spans.push({ start, end });
    start = end > start ? end : start + charAt(text, start).length;
  }
  return spans;
}

/** Whether the accepting state can be reached from a state at a text position. */
type CanAccept = (position: number, state: number) => boolean;

function reachabilityTable(program: readonly PatternInstruction[], text: string): CanAccept {
  const wordsPerRow = Math.ceil(program.length / 32);
  if ((text.length + 1) * wordsPerRow * 32 > maxTableBits) {
    throw invalidPattern("it is too large for a text of this length");
  }
  const bits = new Int32Array((text.length + 1) * wordsPerRow);
  const isSet = (position: number, state: number): boolean => {
    const word = columnAt(bits, position * wordsPerRow + (state >>> 5));
    return ((word >>> (state & 31)) & 1) === 1;
  };
  const set = (position: number, state: number): void => {
    const index = position * wordsPerRow + (state >>> 5);
    bits[index] = columnAt(bits, index) | (1 << (state & 31));
  };
  const epsilonPredecessors = invertEpsilonEdges(program);
  const statesConsuming = consumingStates(program);
  const accepting = program.findIndex(({ kind }) => kind === "accept");
  const pending: number[] = [];
  let after = "";
  for (let position = text.length; position >= 0; position -= after.length || 1) {
    const before = charBefore(text, position);
    pending.push(accepting);
    for (const { state, next } of after === "" ? [] : statesConsuming(after)) {
      if (isSet(position + after.length, next)) pending.push(state);
    }
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (isSet(position, state)) continue;
      set(position, state);
      for (const previous of elementAt(epsilonPredecessors, state)) {
        const instruction = elementAt(program, previous);
        if (instruction.kind !== "assertion" || instruction.test(before, after)) {
          pending.push(previous);
        }
      }
    }
    after = before;
  }
  return isSet;
}

/** The states that consume a character, cached: a text has few distinct characters. */
function consumingStates(
  program: readonly PatternInstruction[],
): (char: string) => { state: number; next: number }[] {
  const cache = new Map<string, { state: number; next: number }[]>();
  return (char) => {
    const states =
      cache.get(char) ??
      program.flatMap((instruction, state) =>
        instruction.kind === "char" && instruction.test(char)
          ? [{ state, next: instruction.next }]
          : [],
      );
    cache.set(char, states);
    return states;
  };
}

/** For each state, the splits and assertions that lead to it without consuming a character. */
function invertEpsilonEdges(program: readonly PatternInstruction[]): number[][] {
  const predecessors: number[][] = program.map(() => []);
  for (const [state, instruction] of program.entries()) {
    if (instruction.kind === "split") {
      elementAt(predecessors, instruction.alternative).push(state);
    }
    if (instruction.kind === "split" || instruction.kind === "assertion") {
      elementAt(predecessors, instruction.next).push(state);
    }
  }
  return predecessors;
}

/** The end of the preferred match at `start`. The caller has checked that there is a match. */
function matchEnd(
  program: readonly PatternInstruction[],
  text: string,
  start: number,
  canAccept: CanAccept,
): number {
  let state = 0;
  for (let position = start; ; position += charAt(text, position).length) {
    const step = preferredStep(program, state, (candidate) => canAccept(position, candidate));
    if (!step) return position;
    state = step.next;
  }
}

/**
 * The first consuming instruction in the epsilon closure of a state, in order of preference.
 * Undefined if the preferred branch accepts.
 */
function preferredStep(
  program: readonly PatternInstruction[],
  from: number,
  canAccept: (state: number) => boolean,
): Extract<PatternInstruction, { kind: "char" }> | undefined {
  const visited = new Set<number>();
  const pending = [from];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    // A repeated item that can be empty loops back to its own start.
    if (visited.has(state) || !canAccept(state)) continue;
    visited.add(state);
    const instruction = elementAt(program, state);
    if (instruction.kind === "char") return instruction;
    if (instruction.kind === "accept") return undefined;
    if (instruction.kind === "split") pending.push(instruction.alternative);
    pending.push(instruction.next);
  }
  return undefined;
}

/** The character at a position, of one or two UTF-16 units; empty at the end of the text. */
export function charAt(text: string, position: number): string {
  const code = text.codePointAt(position);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** The character that ends at a position; empty at the start of the text. */
function charBefore(text: string, position: number): string {
  const char = charAt(text, position - 2);
  return char.length === 2 ? char : text.charAt(position - 1);
}
