import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type GitAnswer, notInstalled, runGit } from "./git-command.ts";
import { type GitPlace, statAt, textAt } from "./git-place.ts";
import { type GitSetting, readSettings, valuesOf, writtenSettings } from "./git-settings.ts";

/** Runs git on one repository. */
export type Git = (words: readonly string[]) => Promise<GitAnswer>;

interface Surroundings {
  /** Where git stands; pathspecs are relative to it. */
  folder: string;
  /** Those of the repository's settings that git may know. */
  settings: readonly GitSetting[];
  /** The person's own settings. */
  personal: readonly GitSetting[];
  env?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/**
 * Git obeys the settings of the repository that it works on, and some of them name programs. So it
 * is given a directory of ours in place of `.git`, with settings that we wrote, no hooks, and links
 * to the repository's own objects and references. What the repository says, now or while git is
 * running, does not reach git.
 */
export async function withGit<Answer>(
  place: GitPlace,
  { folder, settings, personal, env = {}, signal }: Surroundings,
  work: (git: Git) => Promise<Answer>,
): Promise<Answer> {
  const own = mkdtempSync(join(tmpdir(), "lectern-git-"));
  try {
    fill(own, place, settings);
    writeFileSync(join(own, "personal"), writtenSettings(personal));
    const surroundings = {
      GIT_CONFIG_GLOBAL: join(own, "personal"),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_DIR: own,
      GIT_INDEX_FILE: join(place.gitDir, "index"),
      GIT_WORK_TREE: place.workTree,
      ...env,
    };
    return await work((words) => runGit(words, { folder, env: surroundings, signal }));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function fill(own: string, place: GitPlace, settings: readonly GitSetting[]): void {
  const { gitDir, commonDir } = place;
  const ours = { "core.bare": "false", "core.logallrefupdates": "false" };
  const added = Object.entries(ours).map(([key, value]) => ({ key, value }));
  writeFileSync(join(own, "config"), writtenSettings([...settings, ...added]));
  writeFileSync(join(own, "HEAD"), headIn(place));
  for (const name of ["objects", "refs", "packed-refs", "shallow", "lfs"]) {
    symlinkSync(join(commonDir, name), join(own, name));
  }
  // A split index keeps most of itself in files beside it.
  for (const name of readdirSync(gitDir).filter((entry) => entry.startsWith("sharedindex."))) {
    symlinkSync(join(gitDir, name), join(own, name));
  }
  mkdirSync(join(own, "info"));
  for (const name of ["attributes", "exclude", "sparse-checkout"]) {
    const text = textAt(join(commonDir, "info", name)) ?? textAt(join(gitDir, "info", name));
    if (text !== undefined) writeFileSync(join(own, "info", name), text);
  }
}

export const headIn = ({ gitDir }: GitPlace): string => textAt(join(gitDir, "HEAD")) ?? "";

export type Settings = GitSetting[] | { problem: string };

/** What a repository has set for itself, read as data. */
export async function settingsIn(
  { gitDir, commonDir }: GitPlace,
  signal: AbortSignal,
): Promise<Settings> {
  const shared = await parsed(join(commonDir, "config"), signal);
  if ("problem" in shared) return shared;
  const more = join(gitDir, "config.worktree");
  const hasMore = valuesOf(shared, "extensions.worktreeconfig").length > 0 && statAt(more);
  const own = hasMore ? await parsed(more, signal) : [];
  return "problem" in own ? own : [...shared, ...own];
}

async function parsed(file: string, signal: AbortSignal): Promise<Settings> {
  const text = textAt(file);
  const unreadable = `its .git/${basename(file)} cannot be read`;
  if (text === undefined) return { problem: unreadable };
  const { isDone, out, problem } = await runGit(
    ["config", "--file", "-", "--no-includes", "--list", "-z"],
    // No repository is looked for.
    { folder: tmpdir(), env: { GIT_DIR: devNull }, signal, input: text },
  );
  if (isDone) return readSettings(out);
  return { problem: problem === notInstalled ? problem : unreadable };
}

/** What a person has set for all their repositories, and for those at this place. */
export async function personalSettings(
  { gitDir, workTree }: GitPlace,
  signal: AbortSignal,
): Promise<Settings> {
  const words = ["config", "--includes", "--list", "--show-scope", "-z"];
  const { isDone, out, problem } = await runGit(words, {
    folder: workTree,
    env: { GIT_DIR: gitDir },
    signal,
  });
  if (!isDone) return { problem: `your own git configuration cannot be read: ${problem}` };
  const fields = out.split("\0");
  const theirs = fields.filter(
    (_, at) => at % 2 === 1 && ["system", "global"].includes(fields[at - 1] ?? ""),
  );
  // What was included is in the list already.
  return readSettings(theirs.join("\0")).filter(({ key }) => !/^include(?:if)?\./.test(key));
}
