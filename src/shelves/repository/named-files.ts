import { posix } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import type { Call } from "../../kernel/call.ts";
import { openWalk } from "../../kernel/walk.ts";
import { objectIn, parsedJson } from "../../text/json-value.ts";
import type { Page } from "../../text/markdown/page.ts";
import { nearest } from "../../text/similar-names.ts";
import type { PageIssue } from "./content-issue.ts";
import { textOf } from "./file-text.ts";
import { mostCompared } from "./link-anchors.ts";
import type { RepositoryTree } from "./repository-tree.ts";
import { openTurn } from "./turn.ts";

/** What pages may speak of without a link: files, and scripts of package manifests. */
export interface Mentionable {
  tree: RepositoryTree;
  /** Undefined where the repository has no manifest with scripts. */
  scripts: ReadonlySet<string> | undefined;
}

/** A repository with more folders than this is looked at in part. */
const mostFolders = 5_000;

export async function mentionableIn(
  boundary: Boundary,
  tree: RepositoryTree,
  { signal }: Pick<Call, "signal">,
): Promise<Mentionable> {
  const walk = openWalk({ name: "", path: tree.root, pattern: "**/package.json" }, boundary);
  const scripts = new Set<string>();
  let manifests = 0;
  let folders = 0;
  const turn = openTurn();
  for (const files of walk.below("")) {
    manifests += files.length;
    for (const { path } of files) {
      for (const name of scriptsIn(textOf(boundary, tree.root, path) ?? "")) scripts.add(name);
    }
    // What was not looked at may have any script.
    if (++folders > mostFolders || signal.aborted) return { tree, scripts: undefined };
    if (turn.isOver()) await turn.pass();
  }
  return { tree, scripts: manifests === 0 ? undefined : scripts };
}

const scriptsIn = (manifest: string): string[] =>
  Object.keys(objectIn(objectIn(parsedJson(manifest)).scripts));

/** Files and scripts that a page names and that are not there. */
export function mentionIssues(
  file: string,
  page: Page,
  { tree, scripts }: Mentionable,
): PageIssue[] {
  const issues: PageIssue[] = [];
  for (const { text, line } of page.spans) {
    const path = missingFile(file, text, tree);
    if (path !== undefined) {
      issues.push({
        type: "warning",
        category: "references",
        rule: "missing-file-named",
        line,
        description: `The page names '${path}', which is not there.`,
        evidence: `\`${text}\``,
        suggestedFix: () => nearbyName(path, tree),
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
      suggestedFix: () => nearbyScript(script, scripts ?? new Set()),
      confidence: 0.85,
    });
  }
  return issues;
}

const plainPath = /^(?:\.{1,2}\/)*[\w@.-]+(?:\/[\w@.-]+)+\/?$/;

/** A path that begins in a folder of this repository and ends at nothing. */
function missingFile(file: string, text: string, tree: RepositoryTree): string | undefined {
  const path = text.replace(/:\d+(-\d+)?$/, "");
  if (path.length > 300 || !plainPath.test(path)) return undefined;
  if (!/\.[A-Za-z]\w{0,5}$|\/$/.test(path)) return undefined;
  const isRelative = /^\.\.?\//.test(path);
  const beside = posix.join(posix.dirname(file), path);
  const places = isRelative ? [beside, posix.normalize(path)] : [posix.normalize(path), beside];
  if (places.some((place) => tree.at(place).kind !== "missing")) return undefined;
  const [first = ""] = path.replace(/^(\.{1,2}\/)+/, "").split("/");
  const isOurs = [first, posix.join(posix.dirname(file), first)].some(
    (place) => tree.at(place).kind === "folder",
  );
  return isOurs ? path : undefined;
}

function nearbyName(path: string, tree: RepositoryTree): string {
  const folder = posix.dirname(posix.normalize(path));
  const names = tree.names(folder === "." ? "" : folder).slice(0, mostCompared);
  const [like] = nearest(posix.basename(path), names, 1);
  return like === undefined
    ? "Name the file as it is now, or leave the sentence out."
    : `Did you mean '${posix.join(folder, like)}'?`;
}

function nearbyScript(name: string, scripts: ReadonlySet<string>): string {
  const [like] = nearest(name, [...scripts].slice(0, mostCompared), 1);
  return like === undefined ? "Name a script that is there." : `Did you mean '${like}'?`;
}

const scriptCall = /\b(?:npm|pnpm|yarn|bun) run ([\w:.-]+)/g;

function* scriptCalls(page: Page): Generator<{ command: string; script: string; line: number }> {
  const shells = page.codes.filter(
    ({ info }) => info === null || /^(|sh|bash|zsh|shell|console|text|powershell)$/.test(info),
  );
  const lines = shells.flatMap(({ lines, line, info }) =>
    lines.map((text, index) => ({ text, line: line + index + (info === null ? 0 : 1) })),
  );
  for (const { text, line } of [...lines, ...page.spans]) {
    if (text.length > 2_000) continue;
    for (const [command, script = ""] of text.matchAll(scriptCall)) yield { command, script, line };
  }
}
