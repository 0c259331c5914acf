import { lstatSync, readFileSync } from "node:fs";
import ignore, { type Ignore } from "ignore";

/** The file with the ignore rules of a folder. */
export const ignoreFile = ".gitignore";

/** The patterns of one folder's ignore file, for the paths below that folder. */
export interface IgnoreRules {
  folder: string;
  matcher: Ignore;
}

/** Larger ignore files are not read. */
const maxFileBytes = 1024 * 1024;

/** Like git, does not follow links to an ignore file; reading a pipe would block. */
export function readIgnoreRules(path: string, folder: string): IgnoreRules[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > maxFileBytes) return [];
  const lines = readFileSync(path, "utf8").split(/\r?\n/);
  return [{ folder, matcher: ignore().add(dropCostlyPatterns(lines)) }];
}

/** The same, but rules that cannot be read have no effect. */
export function tryReadIgnoreRules(path: string, folder: string): IgnoreRules[] {
  try {
    return readIgnoreRules(path, folder);
  } catch {
    return [];
  }
}

/**
 * Patterns become regular expressions, and each further wildcard in one path segment multiplies the
 * worst-case matching time. An untrusted repository may contain many of them, so the patterns of a
 * file share a cost budget; those beyond it are dropped.
 */
function dropCostlyPatterns(lines: readonly string[]): string[] {
  let budget = 10_000;
  return lines.filter((line) => {
    const cost = line.length <= 1_000 ? patternCosts[countWildcards(line)] : undefined;
    if (cost === undefined || cost > budget) return false;
    budget -= cost;
    return true;
  });
}

/** The cost of a pattern by the number of wildcards in one segment. */
const patternCosts = [1, 3, 30, 300];

const countWildcards = (line: string): number =>
  Math.max(
    (line.match(/\*\*/g) ?? []).length,
    ...line.split("/").map((name) => (name.match(/\*+/g) ?? []).length),
  );

/** As in git, the innermost ignore file with a matching pattern decides; `rules` start with it. */
export function isIgnored(rules: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (const { folder, matcher } of rules) {
    const inside = folder === "" ? path : path.slice(folder.length + 1);
    const verdict = matcher.test(isFolder ? `${inside}/` : inside);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
