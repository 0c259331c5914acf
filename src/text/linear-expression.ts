import { type Node, parse, unreadable } from "./expression-grammar.ts";
import { placesOfSteps } from "./expression-places.ts";
import { type Step, stepsOf } from "./expression-steps.ts";
import type { Place } from "./quotes.ts";

/**
 * Regular expressions of strangers, matched in time of text times expression at most: a set of
 * places in the expression walks along the text once, and nothing is ever tried again. There are
 * literals, `.`, classes, groups, `|`, `* + ? {n,m}`, `^ $ \b` by line, and `(?i)` at the start;
 * what needs memory of the text (references back, looking around) is refused.
 */
export interface LinearExpression {
  /** Where matches begin, in UTF-16 units, from left to right and none within another. */
  starts(text: string, most: number): number[];
  /**
   * Where matches begin and end, none over another: of those that begin first the one that the
   * expression prefers, so that `*` takes as many as it can and `*?` as few. Empty ones are left out.
   */
  places(text: string, most: number): Place[];
}

const longest = 500;

export function readExpression(written: string): LinearExpression {
  if (written.length > longest) throw unreadable(`it has more than ${longest} characters`);
  const ignoreCase = written.startsWith("(?i)");
  return expressionOf(parse(ignoreCase ? written.slice(4) : written, ignoreCase));
}

/** The same for an expression that nobody wrote as text. */
export function expressionOf(node: Node): LinearExpression {
  const steps = stepsOf(node);
  const expression: LinearExpression = {
    starts: (text, most) => walk(steps, text, most),
    places: (text, most) => placesOfSteps(steps, text, most),
  };
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
