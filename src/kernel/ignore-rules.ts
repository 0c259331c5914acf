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
  const lines = readFileSync(place, "utf8").split(/\r?\n/).filter(isSwift);
  return [{ folder, matcher: ignore().add(lines) }];
}

/**
 * Patterns become regular expressions, and each further wildcard in one name multiplies the time
 * that a name may take. Nobody needs so many of them; a stranger's repository may have them.
 */
const isSwift = (line: string): boolean =>
  line.length <= 1_000 &&
  (line.match(/\*\*/g) ?? []).length <= 3 &&
  line.split("/").every((name) => (name.match(/\*+/g) ?? []).length <= 3);

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
