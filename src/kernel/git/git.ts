import { join, resolve } from "node:path";
import { toPrintable } from "../../text/strings/printable.ts";
import type { Boundary } from "../paths/boundary.ts";
import { findRepository, type GitLocation, isSamePath, lstatOrUndefined } from "./git-location.ts";
import { gitTimedOut } from "./git-process.ts";
import {
  findRefusedSetting,
  type GitSetting,
  layoutSettings,
  refusedProtocol,
  remoteSettings,
  settingValues,
} from "./git-settings.ts";
import {
  type RunGit,
  readHead,
  readPersonalSettings,
  readRepositorySettings,
  withIsolatedGit,
} from "./isolated-git.ts";
import { findSpecialFile } from "./special-files.ts";

/** The result of a pull; `no repository` if the folder is not in a repository. */
export type PullResult = "pulled" | "no repository" | { problem: string };

/**
 * Pulls a folder's repository from its own remote, fast-forward only. A repository whose settings
 * name a program or another URL is skipped, because ignoring those settings could produce a result
 * that its owner did not intend.
 */
export async function pullRepository(
  folder: string,
  boundary: Pick<Boundary, "allowsFolder">,
  signal: AbortSignal,
): Promise<PullResult> {
  const repository = findRepository(folder, boundary);
  if (!repository) return "no repository";
  if (signal.aborted) return { problem: gitTimedOut };
  const unsafe =
    "refused" in repository
      ? repository.refused
      : await findSpecialFile(repository.workTree, signal);
  if ("refused" in repository || unsafe !== undefined) {
    return {
      problem: `${toPrintable(unsafe ?? "")} is a link out of the repository, or not a regular file`,
    };
  }
  const settings = await readRepositorySettings(repository, signal);
  if ("problem" in settings) return settings;
  const refused = findRefusedSetting(settings) ?? externalWorkTree(repository, settings);
  if (refused !== undefined) return { problem: refusedSettingProblem(refused) };
  const upstream = upstreamOf(repository, settings);
  if ("problem" in upstream) return upstream;
  const personal = await readPersonalSettings(repository, signal);
  if ("problem" in personal) return personal;
  if (!isTrusted(repository, personal)) {
    return { problem: "it belongs to another user; add it to safe.directory if you trust it" };
  }
  const allowedSettings = [
    ...layoutSettings(settings),
    ...remoteSettings(settings, upstream.remote),
  ];
  return withIsolatedGit(
    repository,
    { folder: repository.workTree, settings: allowedSettings, personal, signal },
    (git) => fetchAndMerge(git, repository, upstream),
  );
}

const refusedSettingProblem = (setting: string): string =>
  `the repository's own setting ${toPrintable(setting)} can run a program or redirect the fetch; ` +
  "remove it from its .git/config, or set it in your own git configuration instead";

interface Upstream {
  remote: string;
  /** The full name of the remote branch: `refs/heads/main`. */
  branch: string;
}

/** Files that exist in a repository while a merge, cherry-pick or revert is unfinished. */
const mergeMarkers = ["CHERRY_PICK_HEAD", "MERGE_HEAD", "REVERT_HEAD"];

/** The upstream of the current branch. */
function upstreamOf(
  repository: GitLocation,
  settings: readonly GitSetting[],
): Upstream | { problem: string } {
  const [, local] = /^ref: refs\/heads\/(.+)$/m.exec(readHead(repository)) ?? [];
  if (local === undefined) return { problem: "no branch is checked out" };
  if (mergeMarkers.some((name) => lstatOrUndefined(join(repository.gitDir, name)))) {
    return { problem: "a merge is in progress" };
  }
  const remote = settingValues(settings, `branch.${local}.remote`).at(-1);
  const branch = settingValues(settings, `branch.${local}.merge`).at(-1);
  if (remote === undefined || branch === undefined) {
    return { problem: `the branch ${toPrintable(local)} has no upstream branch` };
  }
  if (!/^refs\/[^:*+\s]+$/.test(branch)) {
    return { problem: `the setting branch.${toPrintable(local)}.merge is not a branch` };
  }
  const key = `remote.${remote}.url`;
  const urls = settingValues(settings, key);
  if (urls.length === 0) return { problem: `the setting ${toPrintable(key)} is missing` };
  const protocol = urls.map(refusedProtocol).find((refused) => refused !== undefined);
  if (protocol !== undefined) {
    const reason = `uses the protocol '${toPrintable(protocol)}'; only https and ssh are allowed`;
    return { problem: `the setting ${toPrintable(key)} ${reason}` };
  }
  return { remote, branch };
}

async function fetchAndMerge(
  git: RunGit,
  repository: GitLocation,
  upstream: Upstream,
): Promise<PullResult> {
  const head = readHead(repository);
  const fetched = await git(["fetch", "--quiet", "--", upstream.remote, upstream.branch]);
  if (!fetched.succeeded) return { problem: fetched.problem };
  if (readHead(repository) !== head)
    return { problem: "another branch was checked out during the pull" };
  const merged = await git(["merge", "--quiet", "--ff-only", "--no-stat", "FETCH_HEAD"]);
  return merged.succeeded ? "pulled" : { problem: merged.problem };
}

/** Git allows a repository to set its work tree to another folder. */
function externalWorkTree(
  { gitDir, workTree }: GitLocation,
  settings: readonly GitSetting[],
): string | undefined {
  const configured = settingValues(settings, "core.worktree");
  const isOwn = configured.every((path) => isSamePath(resolve(gitDir, path), workTree));
  return isOwn ? undefined : "core.worktree";
}

/** The same rule as git's: the user owns the repository, or lists it in `safe.directory`. */
function isTrusted(repository: GitLocation, personal: readonly GitSetting[]): boolean {
  const uid = process.geteuid?.();
  const callerUid = uid === 0 ? Number(process.env.SUDO_UID ?? 0) : uid;
  const isOwn = Object.values(repository).every((path: string) => {
    const ownerUid = lstatOrUndefined(path)?.uid;
    return uid === undefined || ownerUid === uid || ownerUid === callerUid;
  });
  const listed = settingValues(personal, "safe.directory");
  // An empty value resets the list.
  const safe = listed.slice(listed.lastIndexOf("") + 1);
  return isOwn || safe.some((path) => path === "*" || isSamePath(path, repository.workTree));
}

/** Maximum number of commits to read. Files changed only in older commits have no date. */
const maxCommits = 20_000;

/** The repository exists, but its history cannot be read. */
export const unreadableHistory = Symbol("unreadable history");

/**
 * The date of the last commit of each file below a folder, by path relative to it. Undefined if the
 * folder is in no repository or the signal was aborted.
 */
export async function lastCommitDates(
  folder: string,
  boundary: Pick<Boundary, "allowsFolder">,
  signal: AbortSignal,
): Promise<Map<string, string> | typeof unreadableHistory | undefined> {
  const out = await runOffline(folder, boundary, signal, [
    "log",
    "--no-renames",
    "--relative",
    "--name-only",
    "-z",
    "--format=%x01%cI",
    `--max-count=${maxCommits}`,
    "--",
    ".",
  ]);
  if (typeof out !== "string") return out;
  const changes = new Map<string, string>();
  let date = "";
  for (const field of out.split("\0")) {
    const mark = field.indexOf("\x01");
    if (mark >= 0) date = field.slice(mark + 1);
    const path = mark >= 0 ? "" : field.replace(/^\n/, "");
    if (path !== "" && !changes.has(path)) changes.set(path, date);
  }
  return changes;
}

/** The hash of the current commit; undefined if there is none. */
export async function headCommit(
  folder: string,
  boundary: Pick<Boundary, "allowsFolder">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const out = await runOffline(folder, boundary, signal, ["rev-parse", "--verify", "HEAD"]);
  return typeof out === "string" ? out.trim() : undefined;
}

/**
 * Runs a read-only command without user settings and network access. A partial clone would otherwise
 * fetch missing objects, with a program that the repository may choose.
 */
async function runOffline(
  folder: string,
  boundary: Pick<Boundary, "allowsFolder">,
  signal: AbortSignal,
  args: readonly string[],
): Promise<string | typeof unreadableHistory | undefined> {
  if (signal.aborted) return undefined;
  const repository = findRepository(folder, boundary);
  if (!repository) return undefined;
  if ("refused" in repository) return unreadableHistory;
  if ((await findSpecialFile(repository.workTree, signal)) !== undefined) return unreadableHistory;
  const settings = await readRepositorySettings(repository, signal);
  if ("problem" in settings) return unreadableHistory;
  const options = {
    folder,
    settings: layoutSettings(settings),
    personal: [],
    env: offlineEnv,
  };
  return withIsolatedGit(repository, { ...options, signal }, async (git) => {
    const { succeeded, stdout } = await git(args);
    return succeeded ? stdout : undefined;
  });
}

const offlineEnv = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };
