import { elementAt } from "../arrays/element-at.ts";

/**
 * Compiles a glob: `*` and `?` match within a name, `[a-z]` one character, `**` any number of
 * folders, `{a,b}` either part; commas separate patterns. Matching takes at most time proportional
 * to path length times pattern length. Translating globs to regular expressions would not ensure
 * that. With `anyEnding`, file extensions match in either case: `*.md` also matches `README.MD`.
 */
export function globMatcher(
  pattern: string,
  { anyEnding = false }: { anyEnding?: boolean } = {},
): (path: string) => boolean {
  const normalize = anyEnding ? lowerCaseExtension : (path: string) => path;
  const alternatives = splitPatterns(pattern).map((part) => compileAlternative(normalize(part)));
  return (originalPath) => {
    const path = normalize(originalPath);
    let names: string[][] | undefined;
    for (const { suffix, isSuffixEnough, steps } of alternatives) {
      if (!path.endsWith(suffix)) continue;
      if (isSuffixEnough) return true;
      names ??= path.split("/").map((name) => [...name]);
      if (matchSequence(steps, names, (step) => step === folders, matchesName)) return true;
    }
    return false;
  };
}

/**
 * Whether a pattern could match a path below a folder. A scan uses this to skip folders: `*.md`
 * matches only in the top folder.
 */
export function folderMatcher(pattern: string): (folder: string) => boolean {
  const alternatives = splitPatterns(pattern).map((part) => part.split("/").map(parseStep));
  if (alternatives.some(([first]) => first === folders)) return () => true;
  return (folder) => {
    const names = folder.split("/").map((name) => [...name]);
    return alternatives.some((steps) => {
      const anyDepth = steps.indexOf(folders);
      const fixed = anyDepth < 0 ? steps.slice(0, -1) : steps.slice(0, anyDepth);
      if (names.length > fixed.length && anyDepth < 0) return false;
      return names
        .slice(0, fixed.length)
        .every((name, depth) => matchesName(elementAt(fixed, depth), name));
    });
  };
}

/** Whether a pattern matches files of the top folder only. */
export const matchesTopFolderOnly = (pattern: string): boolean =>
  splitPatterns(pattern).every((part) => part !== "**" && !part.includes("/"));

const splitPatterns = (pattern: string): string[] =>
  splitAtCommas(pattern)
    .flatMap((part) => expandBraces(part.trim()))
    .filter((part) => part !== "")
    .map((part) => part.replace(/^\.?\/+/, ""));

const lowerCaseExtension = (path: string): string =>
  path.replace(/\.[^./]*$/, (ending) => ending.toLowerCase());

/** A pattern without braces or commas. Most paths are decided by the suffix check alone. */
interface PatternAlternative {
  steps: readonly PatternStep[];
  /** The literal end of the pattern. Every matching path ends with it. */
  suffix: string;
  /** True for patterns such as `**` + `/*.md`, which require nothing but the suffix. */
  isSuffixEnough: boolean;
}

function compileAlternative(pattern: string): PatternAlternative {
  const steps = pattern.split("/").map(parseStep);
  const last = steps.at(-1) ?? folders;
  if (last === folders) return { steps, suffix: "", isSuffixEnough: steps.length === 1 };
  const lastWildcard = last.findLastIndex(
    (token) => token.length > 2 || token === "*" || token === "?",
  );
  const isSuffixEnough =
    steps.length === 2 && steps[0] === folders && lastWildcard === 0 && last[0] === "*";
  return { steps, suffix: last.slice(lastWildcard + 1).join(""), isSuffixEnough };
}

/** The tokens of one path component, or `folders` for any number of components. */
type PatternStep = readonly string[];

const folders: PatternStep = ["**"];

/** Splits a path component into tokens. A character class such as `[a-z]` is one token. */
const parseStep = (name: string): PatternStep =>
  name === "**" ? folders : (name.match(/\[[^\]]+\]|./gsu) ?? []);

/** Nested braces multiply; the limit bounds the memory they can take. */
const maxAlternatives = 1_000;

/** Commas inside braces belong to the pattern: `{a,b}/*.md, c.md` is two patterns. */
function splitAtCommas(pattern: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const char of pattern) {
    if (char === "{") depth++;
    if (char === "}") depth = Math.max(0, depth - 1);
    if (char === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + char);
  }
  return parts;
}

function expandBraces(pattern: string): string[] {
  let patterns: string[] = [pattern];
  for (;;) {
    const expanded = patterns.flatMap(expandInnermost);
    if (expanded.length === patterns.length) return expanded;
    if (expanded.length > maxAlternatives)
      throw new RangeError(
        `The braces of a pattern expand to more than ${maxAlternatives} alternatives. Use fewer.`,
      );
    patterns = expanded;
  }
}

/** Expands the first braces that contain no others, so nested braces need no parser. */
function expandInnermost(pattern: string): string[] {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!match) return [pattern];
  const [whole, inner = ""] = match;
  const before = pattern.slice(0, match.index);
  const after = pattern.slice(match.index + whole.length);
  return inner.split(",").map((choice) => before + choice + after);
}

/**
 * Greedy wildcard matching that backtracks only to the last wildcard. That is enough, because a
 * later wildcard can absorb whatever an earlier one would have absorbed.
 */
function matchSequence<Wanted, Item>(
  steps: readonly Wanted[],
  items: readonly Item[],
  isWildcard: (step: Wanted) => boolean,
  matches: (step: Wanted, item: Item) => boolean,
): boolean {
  let step = 0;
  let item = 0;
  let lastWildcard = -1;
  let resume = 0;
  while (item < items.length) {
    const wanted = steps[step];
    if (wanted !== undefined && isWildcard(wanted)) {
      lastWildcard = step++;
      resume = item;
    } else if (wanted !== undefined && matches(wanted, elementAt(items, item))) {
      step++;
      item++;
    } else if (lastWildcard >= 0) {
      step = lastWildcard + 1;
      item = ++resume;
    } else return false;
  }
  return steps.slice(step).every(isWildcard);
}

const matchesName = (step: PatternStep, name: readonly string[]): boolean =>
  matchSequence(step, name, (token) => token === "*", matchesChar);

function matchesChar(token: string, char: string): boolean {
  if (token === "?" || token === char) return true;
  if (token.length < 3 || !token.startsWith("[")) return false;
  const isNegated = token[1] === "!" || token[1] === "^";
  const ranges = token.slice(isNegated ? 2 : 1, -1).match(/.-.|./gsu) ?? [];
  const isMember = ranges.some((range) => {
    const [first = "", dash, last] = [...range];
    return dash === undefined ? char === first : char >= first && char <= (last ?? first);
  });
  return isMember !== isNegated;
}
