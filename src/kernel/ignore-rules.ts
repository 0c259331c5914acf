import { lstatSync, readFileSync } from "node:fs";
import ignore, { type Ignore } from "ignore";

/** What the ignore file of one folder says about paths below that folder. */
export interface IgnoreRules {
  folder: string;
  matcher: Ignore;
}

/** Like git, no link is followed to an ignore file; a pipe would be waited for in vain. */
export function ignoreRulesAt(place: string, folder: string): IgnoreRules[] {
  if (!lstatSync(place, { throwIfNoEntry: false })?.isFile()) return [];
  return [{ folder, matcher: ignore().add(readFileSync(place, "utf8")) }];
}

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
