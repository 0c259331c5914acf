import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { elementAt } from "../../text/arrays/element-at.ts";
import { type GitLocation, lstatOrUndefined, readRegularFile } from "./git-location.ts";
import { type GitResult, gitNotInstalled, gitTimedOut, runGit } from "./git-process.ts";
import {
  formatGitSettings,
  type GitSetting,
  parseGitSettings,
  settingValues,
} from "./git-settings.ts";

/** Runs git on one repository. */
export type RunGit = (args: readonly string[]) => Promise<GitResult>;

interface IsolatedGitOptions {
  /** The working directory of git; pathspecs are relative to it. */
  folder: string;
  /** The settings of the repository that git may use. */
  settings: readonly GitSetting[];
  /** The user's own settings. */
  personal: readonly GitSetting[];
  env?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/**
 * Runs git with a temporary directory in place of `.git`, because settings of an untrusted
 * repository could make git run programs. The directory contains only allowed settings, no hooks,
 * and links to the repository's objects and refs. Changes to the repository's configuration while
 * git is running have no effect.
 */
export async function withIsolatedGit<Result>(
  repository: GitLocation,
  { folder, settings, personal, env = {}, signal }: IsolatedGitOptions,
  work: (git: RunGit) => Promise<Result>,
): Promise<Result> {
  const isolatedGitDir = mkdtempSync(join(tmpdir(), "lectern-git-"));
  try {
    prepareGitDir(isolatedGitDir, repository, settings);
    writeFileSync(join(isolatedGitDir, "personal"), formatGitSettings(personal));
    const environment = {
      GIT_CONFIG_GLOBAL: join(isolatedGitDir, "personal"),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_DIR: isolatedGitDir,
      GIT_INDEX_FILE: join(repository.gitDir, "index"),
      GIT_WORK_TREE: repository.workTree,
      ...env,
    };
    return await work((args) => runGit(args, { folder, env: environment, signal }));
  } finally {
    rmSync(isolatedGitDir, { recursive: true, force: true });
  }
}

function prepareGitDir(
  target: string,
  repository: GitLocation,
  settings: readonly GitSetting[],
): void {
  const { gitDir, commonDir } = repository;
  const defaults = { "core.bare": "false", "core.logallrefupdates": "false" };
  const added = Object.entries(defaults).map(([key, value]) => ({ key, value }));
  writeFileSync(join(target, "config"), formatGitSettings([...settings, ...added]));
  writeFileSync(join(target, "HEAD"), readHead(repository));
  for (const name of ["objects", "refs", "packed-refs", "shallow", "lfs"]) {
    symlinkSync(join(commonDir, name), join(target, name));
  }
  // A split index stores most entries in these files.
  for (const name of readdirSync(gitDir).filter((entry) => entry.startsWith("sharedindex."))) {
    symlinkSync(join(gitDir, name), join(target, name));
  }
  mkdirSync(join(target, "info"));
  for (const name of ["attributes", "exclude", "sparse-checkout"]) {
    const text =
      readRegularFile(join(commonDir, "info", name)) ?? readRegularFile(join(gitDir, "info", name));
    if (text !== undefined) writeFileSync(join(target, "info", name), text);
  }
}

export const readHead = ({ gitDir }: GitLocation): string =>
  readRegularFile(join(gitDir, "HEAD")) ?? "";

export type GitSettingsResult = GitSetting[] | { problem: string };

/** The settings of a repository, parsed without applying them. */
export async function readRepositorySettings(
  { gitDir, commonDir }: GitLocation,
  signal: AbortSignal,
): Promise<GitSettingsResult> {
  const shared = await parseConfigFile(join(commonDir, "config"), signal);
  if ("problem" in shared) return shared;
  const worktreeConfig = join(gitDir, "config.worktree");
  const hasWorktreeConfig =
    settingValues(shared, "extensions.worktreeconfig").length > 0 &&
    lstatOrUndefined(worktreeConfig);
  const own = hasWorktreeConfig ? await parseConfigFile(worktreeConfig, signal) : [];
  return "problem" in own ? own : [...shared, ...own];
}

async function parseConfigFile(file: string, signal: AbortSignal): Promise<GitSettingsResult> {
  const text = readRegularFile(file);
  const unreadable = `its .git/${basename(file)} cannot be read`;
  if (text === undefined) return { problem: unreadable };
  const { succeeded, stdout, problem } = await runGit(
    ["config", "--file", "-", "--no-includes", "--list", "-z"],
    // Prevents git from searching for a repository.
    { folder: tmpdir(), env: { GIT_DIR: devNull }, signal, input: text },
  );
  if (succeeded) return parseGitSettings(stdout);
  return { problem: [gitNotInstalled, gitTimedOut].includes(problem) ? problem : unreadable };
}

/** The user's settings: global ones, and those that apply to this path. */
export async function readPersonalSettings(
  { gitDir, workTree }: GitLocation,
  signal: AbortSignal,
): Promise<GitSettingsResult> {
  const args = ["config", "--includes", "--list", "--show-scope", "-z"];
  const { succeeded, stdout, problem } = await runGit(args, {
    folder: workTree,
    env: { GIT_DIR: gitDir },
    signal,
  });
  if (!succeeded) return { problem: `your own git configuration cannot be read: ${problem}` };
  const fields = stdout.split("\0");
  const personalFields = fields.filter(
    (_, at) => at % 2 === 1 && ["system", "global"].includes(elementAt(fields, at - 1)),
  );
  // The list already contains the included settings.
  return parseGitSettings(personalFields.join("\0")).filter(
    ({ key }) => !/^include(?:if)?\./.test(key),
  );
}
