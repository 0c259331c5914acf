import { lockFileManager } from "../../../text/manifests/manifest-kinds.ts";
import type { MarkdownPage } from "../../../text/markdown/page.ts";
import type { PageIssue } from "./content-issue.ts";

const javascriptManagers = ["npm", "yarn", "pnpm", "bun"];

/**
 * Commands that install the whole project: `npm install`, `npm ci`, `yarn`. Commands that name a
 * package do not match.
 */
const installAll = /^\s*(?:\$ )?(npm|yarn|pnpm|bun)(?: (?:install|ci|i))?(?: --?[\w-]+)*\s*$/;

/** Finds install commands of a package manager other than the one of the lock file. */
export function packageManagerIssues(
  page: MarkdownPage,
  lockfiles: readonly string[],
): PageIssue[] {
  const locked = new Set(lockfiles.map(lockFileManager));
  const used = javascriptManagers.filter((manager) => locked.has(manager));
  if (used.length === 0) return [];
  return page.codeBlocks.flatMap(({ info, lines, line }) =>
    lines.flatMap((text, index): PageIssue[] => {
      const manager = text.length < 200 ? installAll.exec(text)?.[1] : undefined;
      if (
        manager === undefined ||
        (manager === "npm" && text.trim() === "npm") ||
        used.includes(manager)
      )
        return [];
      return [
        {
          type: "warning",
          category: "accuracy",
          rule: "other-package-manager",
          line: line + index + (info === null ? 0 : 1),
          description: `The project has a lock file of ${used.join(" and ")}, but the page installs it with ${manager}.`,
          evidence: text.trim(),
          suggestedFix: `Write '${used[0]} install'.`,
          confidence: 0.8,
        },
      ];
    }),
  );
}
