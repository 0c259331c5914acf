import { type LetterTest, type Node, type PlaceTest, unreadable } from "./expression-grammar.ts";

const mostSteps = 500;

/** One step of an expression; numbers are other steps. Of a fork, `next` is tried first. */
export type Step =
  | { kind: "letter"; test: LetterTest; next: number }
  | { kind: "fork"; next: number; other: number }
  | { kind: "place"; test: PlaceTest; next: number }
  | { kind: "end" };

/**
 * The steps of an expression, of which the first is the one to begin at. They are written from the
 * last to the first, so that each knows the number of the one behind it.
 */
export function stepsOf(node: Node): Step[] {
  const steps: Step[] = [];
  const add = (step: Step): number => {
    if (steps.length >= mostSteps) throw tooLarge();
    return steps.push(step) - 1;
  };
  let written = 0;
  const write = (part: Node, next: number): number => {
    // A group of nothing adds no step, however often it is repeated.
    if (++written > mostSteps * 20) throw tooLarge();
    switch (part.kind) {
      case "letter":
      case "place":
        return add({ ...part, next });
      case "row":
        return part.items.reduceRight((behind, item) => write(item, behind), next);
      case "choice": {
        const [last, ...others] = part.items.map((item) => write(item, next)).reverse();
        return others.reduce(
          (other, first) => add({ kind: "fork", next: first, other }),
          last ?? next,
        );
      }
      case "repeat":
        return writeRepeat(part, next);
    }
  };
  const writeRepeat = ({ item, least, most, isLazy }: Repeat, next: number): number => {
    const fork = (again: number): Step =>
      isLazy ? { kind: "fork", next, other: again } : { kind: "fork", next: again, other: next };
    let first = next;
    if (most === Number.POSITIVE_INFINITY) {
      first = add(fork(next));
      steps[first] = fork(write(item, first));
    } else {
      for (let count = least; count < most; count++) first = add(fork(write(item, first)));
    }
    for (let count = 0; count < least; count++) first = write(item, first);
    return first;
  };
  const start = write(node, add({ kind: "end" }));
  // The walk begins at 0, where the end was written.
  return renumbered(steps, start);
}

type Repeat = Extract<Node, { kind: "repeat" }>;

const tooLarge = () => unreadable("it is too large when its repeats are spelled out");

/** Exchanges the first step with the one to begin at. */
function renumbered(steps: Step[], start: number): Step[] {
  const renamed = (at: number): number => (at === 0 ? start : at === start ? 0 : at);
  const all = steps.map((step): Step => {
    if (step.kind === "end") return step;
    if (step.kind === "fork") {
      return { ...step, next: renamed(step.next), other: renamed(step.other) };
    }
    return { ...step, next: renamed(step.next) };
  });
  return all.map((step, at) => all[renamed(at)] ?? step);
}
