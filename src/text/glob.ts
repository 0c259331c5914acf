/**
 * Whether a path fits a pattern: `*` and `?` within a name, `[a-z]` for a letter, `**` for folders,
 * `{a,b}` for either, commas between patterns. Matching takes the time of path times pattern at
 * most; regular expressions made from globs can take longer than anybody waits. With `anyEnding`,
 * `*.md` takes `README.MD` too: cameras, mail programs and old systems write endings in capitals.
 */
export function globMatcher(
  pattern: string,
  { anyEnding = false }: { anyEnding?: boolean } = {},
): (path: string) => boolean {
  const read = anyEnding ? withSmallEnding : (path: string) => path;
  const choices = partsOf(pattern).map((part) => choiceOf(read(part)));
  return (given) => {
    const path = read(given);
    let names: string[][] | undefined;
    for (const { ending, isEnough, steps } of choices) {
      if (!path.endsWith(ending)) continue;
      if (isEnough) return true;
      names ??= path.split("/").map((name) => [...name]);
      if (matches(steps, names, (step) => step === folders, fitsName)) return true;
    }
    return false;
  };
}

/** Whether a path below a folder could fit a pattern: `*.md` asks for nothing in any folder. */
export function folderMatcher(pattern: string): (folder: string) => boolean {
  const choices = partsOf(pattern).map((part) => part.split("/").map(stepOf));
  if (choices.some(([first]) => first === folders)) return () => true;
  return (folder) => {
    const names = folder.split("/").map((name) => [...name]);
    return choices.some((steps) => {
      const any = steps.indexOf(folders);
      const fixed = any < 0 ? steps.slice(0, -1) : steps.slice(0, any);
      if (names.length > fixed.length && any < 0) return false;
      return fixed.every((step, at) => at >= names.length || fitsName(step, names[at] ?? []));
    });
  };
}

/** Whether a pattern asks for files of the top folder alone. */
export const isTopOnly = (pattern: string): boolean =>
  partsOf(pattern).every((part) => part !== "**" && !part.includes("/"));

/** The patterns that commas and braces join. */
const partsOf = (pattern: string): string[] =>
  splitAtCommas(pattern)
    .flatMap((part) => expandBraces(part.trim()))
    .filter((part) => part !== "")
    .map((part) => part.replace(/^\.?\/+/, ""));

const withSmallEnding = (path: string): string =>
  path.replace(/\.[^./]*$/, (ending) => ending.toLowerCase());

/** One pattern without braces or commas. Most paths are told by their ending alone. */
interface Choice {
  steps: readonly Step[];
  /** What every path that fits ends with. */
  ending: string;
  /** True for patterns such as `**` + `/*.md`, which ask for nothing else. */
  isEnough: boolean;
}

function choiceOf(pattern: string): Choice {
  const steps = pattern.split("/").map(stepOf);
  const last = steps.at(-1) ?? folders;
  if (last === folders) return { steps, ending: "", isEnough: steps.length === 1 };
  const wild = last.findLastIndex(
    (letter) => letter.length > 2 || letter === "*" || letter === "?",
  );
  const isEnough = steps.length === 2 && steps[0] === folders && wild === 0 && last[0] === "*";
  return { steps, ending: last.slice(wild + 1).join(""), isEnough };
}

/** One name of a pattern: its letters, or any number of folders. */
type Step = readonly string[];

const folders: Step = ["**"];

/** `[a-z]` is one letter of the pattern, as every other letter is. */
const stepOf = (name: string): Step =>
  name === "**" ? folders : (name.match(/\[[^\]]+\]|./gsu) ?? []);

/** More choices than anybody writes, and fewer than would fill the memory. */
const mostChoices = 1_000;

/** Commas inside braces belong to the pattern: `{a,b}/*.md, c.md` is two patterns. */
function splitAtCommas(pattern: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of pattern) {
    if (letter === "{") depth++;
    if (letter === "}") depth = Math.max(0, depth - 1);
    if (letter === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + letter);
  }
  return parts;
}

function expandBraces(pattern: string): string[] {
  let open: string[] = [pattern];
  for (;;) {
    const next = open.flatMap(expandFirst);
    if (next.length === open.length) return next;
    if (next.length > mostChoices)
      throw new RangeError(`A pattern has at most ${mostChoices} choices.`);
    open = next;
  }
}

/** The innermost braces first, so that braces within braces need no parser. */
function expandFirst(pattern: string): string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!found) return [pattern];
  const [whole, inner = ""] = found;
  const before = pattern.slice(0, found.index);
  const after = pattern.slice(found.index + whole.length);
  return inner.split(",").map((choice) => before + choice + after);
}

/**
 * Matches with at most one way back: to the last wildcard. That is enough, because a later
 * wildcard can take over whatever an earlier one would have taken.
 */
function matches<Wanted, Item>(
  steps: readonly Wanted[],
  items: readonly Item[],
  isAny: (step: Wanted) => boolean,
  fits: (step: Wanted, item: Item) => boolean,
): boolean {
  let step = 0;
  let item = 0;
  let lastAny = -1;
  let resume = 0;
  while (item < items.length) {
    const wanted = steps[step];
    const found = items[item];
    if (wanted !== undefined && isAny(wanted)) {
      lastAny = step++;
      resume = item;
    } else if (wanted !== undefined && found !== undefined && fits(wanted, found)) {
      step++;
      item++;
    } else if (lastAny >= 0) {
      step = lastAny + 1;
      item = ++resume;
    } else return false;
  }
  return steps.slice(step).every(isAny);
}

const fitsName = (step: Step, name: readonly string[]): boolean =>
  matches(step, name, (letter) => letter === "*", fitsLetter);

function fitsLetter(wanted: string, letter: string): boolean {
  if (wanted === "?" || wanted === letter) return true;
  if (wanted.length < 3 || !wanted.startsWith("[")) return false;
  const isNot = wanted[1] === "!" || wanted[1] === "^";
  const inside = wanted.slice(isNot ? 2 : 1, -1);
  const ranges = inside.match(/.-.|./gsu) ?? [];
  const isIn = ranges.some((range) => {
    const [first = "", dash, last] = [...range];
    return dash === undefined ? letter === first : letter >= first && letter <= (last ?? first);
  });
  return isIn !== isNot;
}
