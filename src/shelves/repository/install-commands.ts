import { lockedBy } from "../../text/manifests/kinds.ts";
import type { Page } from "../../text/markdown/page.ts";
import type { PageIssue } from "./content-issue.ts";

const managers = ["npm", "yarn", "pnpm", "bun"];

/** `npm install`, `npm ci`, `yarn`: everything of the project; no package is named. */
const installAll = /^\s*(?:\$ )?(npm|yarn|pnpm|bun)(?: (?:install|ci|i))?(?: --?[\w-]+)*\s*$/;

/** Commands that install the project by another manager than the one it is locked for. */
export function otherManagerIssues(page: Page, lockfiles: readonly string[]): PageIssue[] {
  const locked = new Set(lockfiles.map(lockedBy));
  const used = managers.filter((manager) => locked.has(manager));
  if (used.length === 0) return [];
  return page.codes.flatMap(({ info, lines, line }) =>
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
          description: `The project is locked for ${used.join(" and ")}, and the page installs it by ${manager}.`,
          evidence: text.trim(),
          suggestedFix: `Write '${used[0]} install'.`,
          confidence: 0.8,
        },
      ];
    }),
  );
}
