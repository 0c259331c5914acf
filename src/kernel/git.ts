import { join, resolve } from "node:path";
import { visible } from "../text/visible.ts";
import type { Boundary } from "./boundary.ts";
import { type GitPlace, gitPlaceOf, isSame, statAt } from "./git-place.ts";
import { type Git, headIn, personalSettings, settingsIn, withGit } from "./git-repository.ts";
import {
  type GitSetting,
  layoutAmong,
  refusedAmong,
  refusedProtocol,
  remoteAmong,
  valuesOf,
} from "./git-settings.ts";

/** How a pull ended; a folder that is in no repository has nothing to pull. */
export type Pulled = "pulled" | "no repository" | { problem: string };

/**
 * Brings a folder's repository up to date with its own remote, by moving forward only. A repository
 * whose settings name a program, or another place, is left alone: without them git would do
 * something else than its owner asked for.
 */
export async function pull(
  folder: string,
  boundary: Pick<Boundary, "holds">,
  signal: AbortSignal,
): Promise<Pulled> {
  const place = gitPlaceOf(folder, boundary);
  if (!place) return "no repository";
  if ("refused" in place) {
    return { problem: `${visible(place.refused)} leads out of the repository` };
  }
  const settings = await settingsIn(place, signal);
  if ("problem" in settings) return settings;
  const refused = refusedAmong(settings) ?? foreignWorkTree(place, settings);
  if (refused !== undefined) return { problem: refusal(refused) };
  const upstream = upstreamOf(place, settings);
  if ("problem" in upstream) return upstream;
  const personal = await personalSettings(place, signal);
  if ("problem" in personal) return personal;
  if (!isTrusted(place, personal)) {
    return { problem: "it belongs to another user; add it to safe.directory if you trust it" };
  }
  const kept = [...layoutAmong(settings), ...remoteAmong(settings, upstream.remote)];
  return withGit(place, { folder: place.workTree, settings: kept, personal, signal }, (git) =>
    fetchAndMerge(git, place, upstream),
  );
}

const refusal = (setting: string): string =>
  `the repository's own setting ${visible(setting)} can run a program or lead elsewhere; ` +
  "remove it from its .git/config, or set it in your own git configuration instead";

interface Upstream {
  remote: string;
  /** The branch there, as `refs/heads/main`. */
  branch: string;
}

/** What git leaves in a repository until a merge of any kind is done. */
const unfinished = ["CHERRY_PICK_HEAD", "MERGE_HEAD", "REVERT_HEAD"];

/** What the current branch follows. */
function upstreamOf(
  place: GitPlace,
  settings: readonly GitSetting[],
): Upstream | { problem: string } {
  const [, local] = /^ref: refs\/heads\/(.+)$/m.exec(headIn(place)) ?? [];
  if (local === undefined) return { problem: "no branch is checked out" };
  if (unfinished.some((name) => statAt(join(place.gitDir, name)))) {
    return { problem: "a merge in it is not finished" };
  }
  const remote = valuesOf(settings, `branch.${local}.remote`).at(-1);
  const branch = valuesOf(settings, `branch.${local}.merge`).at(-1);
  if (remote === undefined || branch === undefined) {
    return { problem: `the branch ${visible(local)} follows no branch of a remote` };
  }
  if (!/^refs\/[^:*+\s]+$/.test(branch)) {
    return { problem: `the setting branch.${visible(local)}.merge names no branch` };
  }
  const key = `remote.${remote}.url`;
  const addresses = valuesOf(settings, key);
  if (addresses.length === 0) return { problem: `the setting ${visible(key)} is missing` };
  const protocol = addresses.map(refusedProtocol).find((refused) => refused !== undefined);
  if (protocol !== undefined) {
    const reason = `uses the protocol '${visible(protocol)}'; only https and ssh are allowed`;
    return { problem: `the setting ${visible(key)} ${reason}` };
  }
  return { remote, branch };
}

async function fetchAndMerge(git: Git, place: GitPlace, upstream: Upstream): Promise<Pulled> {
  const head = headIn(place);
  const fetched = await git(["fetch", "--quiet", "--", upstream.remote, upstream.branch]);
  if (!fetched.isDone) return { problem: fetched.problem };
  if (headIn(place) !== head) return { problem: "another branch was checked out meanwhile" };
  const merged = await git(["merge", "--quiet", "--ff-only", "--no-stat", "FETCH_HEAD"]);
  return merged.isDone ? "pulled" : { problem: merged.problem };
}

/** A repository may say that its files belong into another folder than the one it lies in. */
function foreignWorkTree(
  { gitDir, workTree }: GitPlace,
  settings: readonly GitSetting[],
): string | undefined {
  const named = valuesOf(settings, "core.worktree");
  const isOwn = named.every((path) => isSame(resolve(gitDir, path), workTree));
  return isOwn ? undefined : "core.worktree";
}

/** As git has it: a repository of one's own, or one that a person has named as safe. */
function isTrusted(place: GitPlace, personal: readonly GitSetting[]): boolean {
  const me = process.geteuid?.();
  const caller = me === 0 ? Number(process.env.SUDO_UID ?? 0) : me;
  const isOwn = Object.values(place).every((path: string) => {
    const uid = statAt(path)?.uid;
    return me === undefined || uid === me || uid === caller;
  });
  const named = valuesOf(personal, "safe.directory");
  const safe = named.slice(named.lastIndexOf("") + 1);
  return isOwn || safe.some((path) => path === "*" || isSame(path, place.workTree));
}

/** Commits that are looked at before a file counts as older than all of them. */
const mostCommits = 20_000;

/** A repository is there, and its history cannot be read. */
export const unreadableHistory = Symbol("unreadable history");

/**
 * When each file below a folder was last changed by a commit, by its path from there; nothing where
 * the folder is in no repository, or where the time was over.
 */
export async function lastChanges(
  folder: string,
  boundary: Pick<Boundary, "holds">,
  signal: AbortSignal,
): Promise<Map<string, string> | typeof unreadableHistory | undefined> {
  const out = await looked(folder, boundary, signal, [
    "log",
    "--no-renames",
    "--relative",
    "--name-only",
    "-z",
    "--format=%x01%cI",
    `--max-count=${mostCommits}`,
    "--",
    ".",
  ]);
  if (typeof out !== "string") return out;
  const changes = new Map<string, string>();
  let date = "";
  for (const piece of out.split("\0")) {
    const mark = piece.indexOf("\x01");
    if (mark >= 0) date = piece.slice(mark + 1);
    const path = mark >= 0 ? "" : piece.replace(/^\n/, "");
    if (path !== "" && !changes.has(path)) changes.set(path, date);
  }
  return changes;
}

/** The commit that a folder stands at; nothing where there is none. */
export async function headOf(
  folder: string,
  boundary: Pick<Boundary, "holds">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const out = await looked(folder, boundary, signal, ["rev-parse", "--verify", "HEAD"]);
  return typeof out === "string" ? out.trim() : undefined;
}

/**
 * What only looks needs no setting of anybody, and must not fetch: a repository may lack parts of
 * itself, and name the program that would get them.
 */
async function looked(
  folder: string,
  boundary: Pick<Boundary, "holds">,
  signal: AbortSignal,
  words: readonly string[],
): Promise<string | typeof unreadableHistory | undefined> {
  if (signal.aborted) return undefined;
  const place = gitPlaceOf(folder, boundary);
  if (!place || "refused" in place) return undefined;
  const settings = await settingsIn(place, signal);
  if ("problem" in settings) return unreadableHistory;
  const surroundings = { folder, settings: layoutAmong(settings), personal: [], env: offline };
  return withGit(place, { ...surroundings, signal }, async (git) => {
    const { isDone, out } = await git(words);
    return isDone ? out : undefined;
  });
}

const offline = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };
