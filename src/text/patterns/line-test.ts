import { elementAt } from "../arrays/element-at.ts";
import type { PatternInstruction } from "./regex-program.ts";

/** A set of NFA states reached after a character, with the transitions found so far. */
interface DfaState {
  threads: readonly number[];
  /** The character before; it matters only if the pattern has assertions. */
  before: string;
  /** By code point. */
  next: Map<number, DfaState>;
}

/** The DFA takes some ten megabytes at most. */
const maxTransitions = 100_000;

const endOfLine = -1;

/**
 * A test whether a line contains a match. The NFA is converted to a DFA while lines are read, so
 * that most characters cost one lookup. If there are too many transitions, it starts over; so the
 * time is at most that of the NFA, line length times pattern length.
 */
export function createLineTest(program: readonly PatternInstruction[]): (line: string) => boolean {
  const hasAssertions = program.some(({ kind }) => kind === "assertion");
  let states = new Map<string, DfaState>();
  let transitions = 0;
  /** Stands for any state in which the pattern has matched. */
  const matched: DfaState = { threads: [], before: "", next: new Map() };

  return (line) => {
    let state = stateFor([], "");
    for (let position = 0; position <= line.length; ) {
      const code = line.codePointAt(position) ?? endOfLine;
      state = state.next.get(code) ?? addTransition(state, code);
      if (state === matched) return true;
      position += code > 0xffff ? 2 : 1;
    }
    return false;
  };

  function stateFor(threads: readonly number[], before: string): DfaState {
    const key = hasAssertions ? `${threads.join()} ${before}` : threads.join();
    const known = states.get(key);
    if (known) return known;
    const state: DfaState = { threads, before, next: new Map() };
    states.set(key, state);
    return state;
  }

  function addTransition(state: DfaState, code: number): DfaState {
    if (++transitions > maxTransitions) {
      states = new Map();
      transitions = 0;
    }
    const next = step(state, code === endOfLine ? "" : String.fromCodePoint(code));
    state.next.set(code, next);
    return next;
  }

  function step({ threads, before }: DfaState, char: string): DfaState {
    const visited = new Set<number>();
    const reached = new Set<number>();
    // A match may start at every character.
    const pending = [...threads, 0];
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (visited.has(state)) continue;
      visited.add(state);
      const instruction = elementAt(program, state);
      if (instruction.kind === "accept") return matched;
      if (instruction.kind === "char") {
        if (char !== "" && instruction.test(char)) reached.add(instruction.next);
      } else if (instruction.kind === "split") {
        pending.push(instruction.next, instruction.alternative);
      } else if (instruction.test(before, char)) pending.push(instruction.next);
    }
    return stateFor(
      [...reached].sort((a, b) => a - b),
      char,
    );
  }
}
