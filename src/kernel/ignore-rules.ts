import { lstatSync, readFileSync } from "node:fs";
import ignore, { type Ignore } from "ignore";

/** What the ignore file of one folder says about paths below that folder. */
export interface IgnoreRules {
  folder: string;
  matcher: Ignore;
}

/** A longer ignore file is none that anybody wrote. */
const longest = 1024 * 1024;

/** Like git, no link is followed to an ignore file; a pipe would be waited for in vain. */
export function ignoreRulesAt(place: string, folder: string): IgnoreRules[] {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > longest) return [];
  const lines = readFileSync(place, "utf8").split(/\r?\n/);
  return [{ folder, matcher: ignore().add(affordable(lines)) }];
}

/**
 * Patterns become regular expressions, and each further wildcard in one name multiplies the time
 * that a name may take. Nobody needs so many of them; a stranger's repository may have them. All
 * patterns of a file together may cost so much, and what goes beyond holds for nobody.
 */
function affordable(lines: readonly string[]): string[] {
  let left = 10_000;
  return lines.filter((line) => {
    const price = line.length <= 1_000 ? prices[wildcardsIn(line)] : undefined;
    if (price === undefined || price > left) return false;
    left -= price;
    return true;
  });
}

/** What a pattern costs, by how many wildcards one part of it has. */
const prices = [1, 3, 30, 300];

const wildcardsIn = (line: string): number =>
  Math.max(
    (line.match(/\*\*/g) ?? []).length,
    ...line.split("/").map((name) => (name.match(/\*+/g) ?? []).length),
  );

/** The innermost ignore file that speaks of a path decides, as git has it; `rules` begin with it. */
export function isIgnored(rules: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (const { folder, matcher } of rules) {
    const inside = folder === "" ? path : path.slice(folder.length + 1);
    const verdict = matcher.test(isFolder ? `${inside}/` : inside);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
