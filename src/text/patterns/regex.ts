import { elementAt } from "../arrays/element-at.ts";
import type { TextSpan } from "../spans/quote-search.ts";
import { charAt, matchSpans } from "./regex-matcher.ts";
import { invalidPattern, type PatternNode, parsePattern } from "./regex-parser.ts";
import { compilePattern, type PatternInstruction } from "./regex-program.ts";

/**
 * Regular expressions from untrusted input, simulated as a Thompson NFA so that matching takes at
 * most time proportional to text length times pattern length. Supported: literals, `.`, classes,
 * groups, `|`, `* + ? {n,m}` (greedy and lazy), `^ $` per line, `\b`, and `(?i)` at the start.
 * Backreferences and lookaround cannot be matched in linear time and are rejected.
 */
export interface LinearPattern {
  /** Start offsets of non-overlapping matches in UTF-16 units, ascending, at most `limit`. */
  starts(text: string, limit: number): number[];
  /**
   * Spans of non-overlapping matches, at most `limit`, leftmost-first: of the matches with the same
   * start, the one the pattern prefers, so `*` is greedy and `*?` lazy. Empty matches are skipped.
   */
  places(text: string, limit: number): TextSpan[];
}

const maxPatternLength = 500;

export const readRegex = (source: string): LinearPattern => patternOfNode(parseRegex(source).node);

/** The syntax tree of an expression; `(?i)` at its start makes it ignore case too. */
export function parseRegex(
  source: string,
  ignoreCase = false,
): { node: PatternNode; ignoresCase: boolean } {
  if (source.length > maxPatternLength) {
    throw invalidPattern(`it has more than ${maxPatternLength} characters`);
  }
  const isPrefixed = source.startsWith("(?i)");
  const ignoresCase = ignoreCase || isPrefixed;
  return { node: parsePattern(isPrefixed ? source.slice(4) : source, ignoresCase), ignoresCase };
}

/** Compiles a syntax tree that was built in code instead of parsed. */
export function patternOfNode(node: PatternNode): LinearPattern {
  const program = compilePattern(node);
  const pattern: LinearPattern = {
    starts: (text, limit) => findStarts(program, text, limit),
    places: (text, limit) => matchSpans(program, text, limit),
  };
  if (pattern.starts("", 1).length > 0) throw invalidPattern("it matches empty text");
  return pattern;
}

/** A simulated path through the NFA, with the offset at which its match started. */
interface Thread {
  state: number;
  start: number;
}

/** Pike VM: runs all threads in lockstep, one character at a time, with earlier starts first. */
function findStarts(program: readonly PatternInstruction[], text: string, limit: number): number[] {
  const starts: number[] = [];
  /** The generation in which each state was last visited; a state gets one thread per generation. */
  const visited = new Int32Array(program.length).fill(-1);
  let generation = 0;
  let before = "";

  /** Adds the consuming states of an epsilon closure; true if it contains the accepting state. */
  const addClosure = (threads: Thread[], { state: from, start }: Thread, after: string) => {
    const pending = [from];
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (visited[state] === generation) continue;
      visited[state] = generation;
      const instruction = elementAt(program, state);
      if (instruction.kind === "accept") return true;
      if (instruction.kind === "char") threads.push({ state, start });
      else if (instruction.kind === "split") {
        pending.push(instruction.alternative, instruction.next);
      } else if (instruction.test(before, after)) pending.push(instruction.next);
    }
    return false;
  };

  let reached: Thread[] = [];
  for (let position = 0; position <= text.length && starts.length < limit; generation++) {
    const after = charAt(text, position);
    let threads: Thread[] = [];
    const accepted = [...reached, { state: 0, start: position }].find((thread) =>
      addClosure(threads, thread, after),
    );
    if (accepted) {
      starts.push(accepted.start);
      // The next match may start where this one ended.
      threads = [];
      generation++;
      addClosure(threads, { state: 0, start: position }, after);
    }
    if (after === "") break;
    reached = threads.flatMap(({ state, start }) => {
      const instruction = elementAt(program, state);
      return instruction.kind === "char" && instruction.test(after)
        ? [{ state: instruction.next, start }]
        : [];
    });
    before = after;
    position += after.length;
  }
  return starts;
}
