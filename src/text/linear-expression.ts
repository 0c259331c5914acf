import {
  type LetterTest,
  type Node,
  type PlaceTest,
  parse,
  unreadable,
} from "./expression-grammar.ts";

/**
 * Regular expressions of strangers, matched in time of text times expression at most: a set of
 * places in the expression walks along the text once, and nothing is ever tried again. There are
 * literals, `.`, classes, groups, `|`, `* + ? {n,m}`, `^ $ \b` by line, and `(?i)` at the start;
 * what needs memory of the text (references back, looking around) is refused.
 */
export interface LinearExpression {
  /** Where matches begin, in UTF-16 units, from left to right and none within another. */
  starts(text: string, most: number): number[];
}

const longest = 500;
const mostSteps = 500;

/** One step of the walk; numbers are other steps. */
type Step =
  | { kind: "letter"; test: LetterTest; next: number }
  | { kind: "fork"; next: number; other: number }
  | { kind: "place"; test: PlaceTest; next: number }
  | { kind: "end" };

export function readExpression(written: string): LinearExpression {
  if (written.length > longest) throw unreadable(`it has more than ${longest} characters`);
  const ignoreCase = written.startsWith("(?i)");
  const steps = stepsOf(parse(ignoreCase ? written.slice(4) : written, ignoreCase));
  const expression: LinearExpression = { starts: (text, most) => walk(steps, text, most) };
  if (expression.starts("", 1).length > 0) throw unreadable("it fits a text of no letters");
  return expression;
}

function walk(steps: readonly Step[], text: string, most: number): number[] {
  const found: number[] = [];
  const seen = new Int32Array(steps.length).fill(-1);
  let current: { step: number; start: number }[] = [];
  let before = "";
  let turn = 0;

  /** Follows what takes no letter; true at the end of the expression. */
  const enter = (into: typeof current, from: number, start: number, after: string): boolean => {
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const step = steps[at];
      if (!step || seen[at] === turn) continue;
      seen[at] = turn;
      if (step.kind === "end") return true;
      if (step.kind === "letter") into.push({ step: at, start });
      else if (step.kind === "fork") open.push(step.other, step.next);
      else if (step.test(before, after)) open.push(step.next);
    }
    return false;
  };

  let reached: { next: number; start: number }[] = [];
  for (let at = 0; at <= text.length && found.length < most; turn++) {
    const after = at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : "";
    current = [];
    const ended = [...reached, { next: 0, start: at }].find(({ next, start }) =>
      enter(current, next, start, after),
    );
    if (ended) {
      found.push(ended.start);
      // The next match may begin where this one ended.
      current = [];
      turn++;
      enter(current, 0, at, after);
    }
    if (after === "") break;
    reached = current.flatMap(({ step, start }) => {
      const letter = steps[step];
      return letter?.kind === "letter" && letter.test(after) ? [{ next: letter.next, start }] : [];
    });
    before = after;
    at += after.length;
  }
  return found;
}

/** From the last step to the first, so that each knows the number of the one behind it. */
function stepsOf(node: Node): Step[] {
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
        return writeRepeat(part.item, part.least, part.most, next);
    }
  };
  const writeRepeat = (item: Node, least: number, most: number, next: number): number => {
    let first = next;
    if (most === Number.POSITIVE_INFINITY) {
      const fork = add({ kind: "fork", next, other: next });
      const inner = write(item, fork);
      steps[fork] = { kind: "fork", next: inner, other: next };
      first = fork;
    } else {
      for (let count = least; count < most; count++) {
        first = add({ kind: "fork", next: write(item, first), other: next });
      }
    }
    for (let count = 0; count < least; count++) first = write(item, first);
    return first;
  };
  const start = write(node, add({ kind: "end" }));
  // The walk begins at 0, where the end was written.
  return renumbered(steps, start);
}

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
