import { posix } from "node:path";
import type { Call } from "../../../kernel/call.ts";
import { openWalk } from "../../../kernel/indexing/walk.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { openTimeSlice } from "../../../kernel/processes/time-slice.ts";
import type { MarkdownPage } from "../../../text/markdown/page.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import { maxCompared } from "../links/anchor-check.ts";
import { packageScripts } from "../repo/declared-commands.ts";
import { readRepositoryText } from "../repo/file-text.ts";
import type { RepoTree } from "../repo/repo-tree.ts";
import type { PageIssue } from "./content-issue.ts";

/** The targets that pages may mention without a link: files, and scripts of package manifests. */
export interface MentionTargets {
  tree: RepoTree;
  /** Undefined if the repository has no package.json, or was not searched completely. */
  scripts: ReadonlySet<string> | undefined;
}

/** Larger repositories are not searched completely. */
const maxFolders = 5_000;

export async function findMentionTargets(
  boundary: Boundary,
  tree: RepoTree,
  { signal }: Pick<Call, "signal">,
): Promise<MentionTargets> {
  const walk = openWalk({ name: "", path: tree.root, pattern: "**/package.json" }, boundary);
  const scripts = new Set<string>();
  let manifests = 0;
  let folders = 0;
  const timeSlice = openTimeSlice();
  for (const files of walk.filesBelow("")) {
    manifests += files.length;
    for (const { path } of files) {
      for (const [name] of packageScripts(readRepositoryText(boundary, tree.root, path) ?? ""))
        scripts.add(name);
    }
    // The folders that were not searched may define any script.
    if (++folders > maxFolders || signal.aborted) return { tree, scripts: undefined };
    if (timeSlice.isOver()) await timeSlice.pass();
  }
  return { tree, scripts: manifests === 0 ? undefined : scripts };
}

/** Finds mentions of files and scripts that do not exist. */
export function mentionIssues(
  file: string,
  page: MarkdownPage,
  { tree, scripts }: MentionTargets,
): PageIssue[] {
  const issues: PageIssue[] = [];
  for (const { text, line } of page.codeSpans) {
    const path = missingFile(file, text, tree);
    if (path !== undefined) {
      issues.push({
        type: "warning",
        category: "references",
        rule: "missing-file-named",
        line,
        description: `The page mentions '${path}', which does not exist.`,
        evidence: `\`${text}\``,
        suggestedFix: () => suggestName(path, tree),
        confidence: 0.8,
      });
    }
  }
  for (const { command, script, line } of scripts ? scriptCalls(page) : []) {
    if (scripts?.has(script)) continue;
    issues.push({
      type: "warning",
      category: "references",
      rule: "missing-script",
      line,
      description: `No package.json has a script '${script}'.`,
      evidence: command,
      suggestedFix: () => suggestScript(script, scripts ?? new Set()),
      confidence: 0.85,
    });
  }
  return issues;
}

const plainPath = /^(?:\.{1,2}\/)*[\w@.-]+(?:\/[\w@.-]+)+\/?$/;

/**
 * The missing path that a mention names. Only paths whose first segment is a folder of this
 * repository count.
 */
function missingFile(file: string, text: string, tree: RepoTree): string | undefined {
  const path = text.replace(/:\d+(-\d+)?$/, "");
  if (path.length > 300 || !plainPath.test(path)) return undefined;
  if (!/\.[A-Za-z]\w{0,5}$|\/$/.test(path)) return undefined;
  const isRelative = /^\.\.?\//.test(path);
  const besidePage = posix.join(posix.dirname(file), path);
  const candidates = isRelative
    ? [besidePage, posix.normalize(path)]
    : [posix.normalize(path), besidePage];
  if (candidates.some((place) => tree.lookup(place).kind !== "missing")) return undefined;
  const [first = ""] = path.replace(/^(\.{1,2}\/)+/, "").split("/");
  const startsInRepository = [first, posix.join(posix.dirname(file), first)].some(
    (place) => tree.lookup(place).kind === "folder",
  );
  return startsInRepository ? path : undefined;
}

function suggestName(path: string, tree: RepoTree): string {
  const folder = posix.dirname(posix.normalize(path));
  const names = tree.listNames(folder === "." ? "" : folder).slice(0, maxCompared);
  const [guess] = similarNames(posix.basename(path), names, 1);
  return guess === undefined
    ? "Use the current file name, or remove the mention."
    : `Did you mean '${posix.join(folder, guess)}'?`;
}

function suggestScript(name: string, scripts: ReadonlySet<string>): string {
  const [guess] = similarNames(name, [...scripts].slice(0, maxCompared), 1);
  return guess === undefined ? "Use the name of an existing script." : `Did you mean '${guess}'?`;
}

const scriptCall = /\b(?:npm|pnpm|yarn|bun) run ([\w:.-]+)/g;

function* scriptCalls(
  page: MarkdownPage,
): Generator<{ command: string; script: string; line: number }> {
  const shells = page.codeBlocks.filter(
    ({ info }) => info === null || /^(|sh|bash|zsh|shell|console|text|powershell)$/.test(info),
  );
  const lines = shells.flatMap(({ lines, line, info }) =>
    lines.map((text, index) => ({ text, line: line + index + (info === null ? 0 : 1) })),
  );
  for (const { text, line } of [...lines, ...page.codeSpans]) {
    if (text.length > 2_000) continue;
    for (const [command, script = ""] of text.matchAll(scriptCall)) yield { command, script, line };
  }
}
