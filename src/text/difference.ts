import { linesOf } from "./lines.ts";

/** Lines around a change that are shown with it. */
const around = 3;

/** More changes than this are shown as one text in place of the other. */
const mostSteps = 300;

/**
 * What changes between two texts, in the form that patches have. Undefined stands for a file that
 * is not there.
 */
export function difference(
  file: string,
  before: string | undefined,
  after: string | undefined,
): string {
  const [old, fresh] = [shownLines(before), shownLines(after)];
  const head = [
    `--- ${before === undefined ? "/dev/null" : `a/${file}`}`,
    `+++ ${after === undefined ? "/dev/null" : `b/${file}`}`,
  ];
  return [...head, ...hunksOf(stepsBetween(old, fresh))].join("\n");
}

/** A last line that ends is no line more. */
const shownLines = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : linesOf(text.replace(/(\r\n|\n|\r)$/, ""));

/** One line of the way from a text to another: kept, taken out or put in. */
interface Step {
  sign: " " | "-" | "+";
  line: string;
}

/** The shortest way, found by walking along the diagonals of equal lines. */
export function stepsBetween(old: readonly string[], fresh: readonly string[]): Step[] {
  const reached: Map<number, number>[] = [];
  let front = new Map<number, number>([[1, 0]]);
  for (let steps = 0; steps <= Math.min(old.length + fresh.length, mostSteps); steps++) {
    reached.push(front);
    front = new Map(front);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let x = startOn(front, diagonal, steps);
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x++;
      front.set(diagonal, x);
      if (x >= old.length && x - diagonal >= fresh.length) return walkedBack(reached, old, fresh);
    }
  }
  return [
    ...old.map((line): Step => ({ sign: "-", line })),
    ...fresh.map((line): Step => ({ sign: "+", line })),
  ];
}

/** Behind the line put in, or the line taken out, whichever has come further. */
function startOn(front: ReadonlyMap<number, number>, diagonal: number, steps: number): number {
  const put = front.get(diagonal + 1) ?? -1;
  const taken = front.get(diagonal - 1) ?? -1;
  return diagonal === -steps || (diagonal !== steps && taken < put) ? put : taken + 1;
}

function walkedBack(
  reached: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  fresh: readonly string[],
): Step[] {
  const way: Step[] = [];
  let [x, y] = [old.length, fresh.length];
  for (let steps = reached.length - 1; steps >= 0; steps--) {
    const front = reached[steps] ?? new Map<number, number>();
    const diagonal = x - y;
    const put = front.get(diagonal + 1) ?? -1;
    const taken = front.get(diagonal - 1) ?? -1;
    const isPut = diagonal === -steps || (diagonal !== steps && taken < put);
    const startX = isPut ? put : taken;
    const startY = startX - (isPut ? diagonal + 1 : diagonal - 1);
    while (x > startX && y > startY && x > 0 && y > 0) {
      way.push({ sign: " ", line: old[--x] ?? "" });
      y--;
    }
    if (steps === 0) break;
    if (isPut) way.push({ sign: "+", line: fresh[--y] ?? "" });
    else way.push({ sign: "-", line: old[--x] ?? "" });
  }
  return way.reverse();
}

function hunksOf(steps: readonly Step[]): string[] {
  const shown: string[] = [];
  let [oldLine, freshLine] = [1, 1];
  let hunk: { oldStart: number; freshStart: number; lines: Step[] } | undefined;
  let quiet = 0;
  const close = () => {
    if (!hunk) return;
    const lines = hunk.lines.slice(0, hunk.lines.length - Math.max(quiet - around, 0));
    const count = (sign: Step["sign"]) => lines.filter((step) => step.sign !== sign).length;
    const place = (start: number, length: number) =>
      `${length === 0 ? start - 1 : start},${length}`;
    shown.push(
      `@@ -${place(hunk.oldStart, count("+"))} +${place(hunk.freshStart, count("-"))} @@`,
      ...lines.map(({ sign, line }) => sign + line),
    );
    hunk = undefined;
  };
  for (const [index, step] of steps.entries()) {
    if (step.sign === " ") quiet++;
    else {
      if (!hunk) {
        const before = steps.slice(Math.max(index - around, 0), index);
        hunk = {
          oldStart: oldLine - before.length,
          freshStart: freshLine - before.length,
          lines: [...before],
        };
      }
      quiet = 0;
    }
    hunk?.lines.push(step);
    if (quiet > around * 2) close();
    if (step.sign !== "+") oldLine++;
    if (step.sign !== "-") freshLine++;
  }
  close();
  return shown;
}
