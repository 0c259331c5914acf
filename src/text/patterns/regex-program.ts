import { elementAt } from "../arrays/element-at.ts";
import {
  type AssertionTest,
  type CharTest,
  invalidPattern,
  type PatternNode,
} from "./regex-parser.ts";

const maxInstructions = 500;

/** A state of the NFA. `next` and `alternative` are indexes of states; a split prefers `next`. */
export type PatternInstruction =
  | { kind: "char"; test: CharTest; next: number }
  | { kind: "split"; next: number; alternative: number }
  | { kind: "assertion"; test: AssertionTest; next: number }
  | { kind: "accept" };

/**
 * Compiles a pattern to an NFA (Thompson's construction) whose start state is state 0. States are
 * emitted from the last to the first, so that each knows the index of its successor.
 */
export function compilePattern(pattern: PatternNode): PatternInstruction[] {
  const program: PatternInstruction[] = [];
  const add = (instruction: PatternInstruction): number => {
    if (program.length >= maxInstructions) throw tooLarge();
    return program.push(instruction) - 1;
  };
  let nodeCount = 0;
  const emit = (node: PatternNode, next: number): number => {
    // Repeats of an empty group emit no instruction, so their nodes are limited separately.
    if (++nodeCount > maxInstructions * 20) throw tooLarge();
    switch (node.kind) {
      case "char":
      case "assertion":
        return add({ ...node, next });
      case "sequence":
        return node.items.reduceRight((successor, item) => emit(item, successor), next);
      case "alternation": {
        const [last, ...others] = node.items.map((item) => emit(item, next)).reverse();
        return others.reduce(
          (alternative, preferred) => add({ kind: "split", next: preferred, alternative }),
          last ?? next,
        );
      }
      case "repeat":
        return emitRepeat(node, next);
    }
  };
  const emitRepeat = ({ item, min, max, isLazy }: Repeat, next: number): number => {
    const split = (again: number): PatternInstruction =>
      isLazy
        ? { kind: "split", next, alternative: again }
        : { kind: "split", next: again, alternative: next };
    let first = next;
    if (max === Number.POSITIVE_INFINITY) {
      first = add(split(next));
      program[first] = split(emit(item, first));
    } else {
      for (let count = min; count < max; count++) first = add(split(emit(item, first)));
    }
    for (let count = 0; count < min; count++) first = emit(item, first);
    return first;
  };
  const start = emit(pattern, add({ kind: "accept" }));
  return withStartFirst(program, start);
}

type Repeat = Extract<PatternNode, { kind: "repeat" }>;

const tooLarge = () => invalidPattern("it is too large once its repeats are expanded");

/** Swaps the start state with state 0. */
function withStartFirst(program: PatternInstruction[], start: number): PatternInstruction[] {
  const renumber = (state: number): number => (state === 0 ? start : state === start ? 0 : state);
  const renumbered = program.map((instruction): PatternInstruction => {
    if (instruction.kind === "accept") return instruction;
    const next = renumber(instruction.next);
    if (instruction.kind !== "split") return { ...instruction, next };
    return { ...instruction, next, alternative: renumber(instruction.alternative) };
  });
  return renumbered.map((_, state) => elementAt(renumbered, renumber(state)));
}
