import { isOwnHistory } from "./git-place.ts";

/** How a pull ended; a folder that is in no repository has nothing to pull. */
export type Pulled = "pulled" | "no repository" | { problem: string };

/**
 * Brings a folder's repository up to date with its own remote, by moving forward only. Whatever is
 * in the repository stays text: its hooks do not run, and nothing asks for a password.
 */
export async function pull(folder: string, signal: AbortSignal): Promise<Pulled> {
  const inside = await git(folder, ["rev-parse", "--is-inside-work-tree"], signal);
  if (inside.code !== 0) return "no repository";
  const { code, said } = await git(folder, ["pull", "--ff-only", "--quiet"], signal);
  return code === 0 ? "pulled" : { problem: firstLine(said) };
}

/** Commits that are looked at before a file counts as older than all of them. */
const mostCommits = 20_000;

/**
 * When each file below a folder was last changed by a commit, by its path from there; nothing where
 * the folder is in no repository, or where the time was over.
 */
export async function lastChanges(
  folder: string,
  signal: AbortSignal,
): Promise<Map<string, string> | undefined> {
  if (signal.aborted || !isOwnHistory(folder)) return undefined;
  const { code, out } = await git(
    folder,
    // Signatures would be checked by a program that the repository names, and lists of names and
    // orders would be read from wherever it says.
    [
      "-c",
      "log.follow=false",
      "log",
      "--no-show-signature",
      "--no-mailmap",
      "-O/dev/null",
      "--no-ext-diff",
      "--no-textconv",
      "--no-renames",
      "--relative",
      "--name-only",
      "-z",
      "--format=%x01%cI",
      `--max-count=${mostCommits}`,
      "--",
      ".",
    ],
    signal,
    offline,
  );
  if (code !== 0) return undefined;
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
export async function headOf(folder: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted || !isOwnHistory(folder)) return undefined;
  const { code, out } = await git(folder, ["rev-parse", "--verify", "HEAD"], signal, offline);
  return code === 0 ? out.trim() : undefined;
}

/**
 * What only looks must not fetch: a repository may lack parts of itself, and name the program that
 * would get them.
 */
const offline = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };

const settings = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.ext.allow=never"];

const mostSaid = 64 * 1024 * 1024;

function git(
  folder: string,
  words: string[],
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string>> = {},
) {
  const given = ["-C", folder, ...settings.flatMap((setting) => ["-c", setting]), ...words];
  const env = {
    ...process.env,
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    ...surroundings,
  };
  // Loaded here, because a search never needs it and every start would pay for it.
  const { execFile } = process.getBuiltinModule("node:child_process");
  const limits = { timeout: 60_000, maxBuffer: mostSaid };
  return new Promise<{ code: number; said: string; out: string }>((resolve) => {
    execFile("git", given, { env, signal, ...limits }, (error, out, stderr) => {
      const isMissing = error?.code === "ENOENT";
      resolve({ code: error ? 1 : 0, said: isMissing ? "git is not installed" : stderr, out });
    });
  });
}

/** Git says at length what went wrong and what to do; the reason comes first. Places are left out. */
const firstLine = (said: string): string =>
  (said.trim().split("\n")[0] ?? "").replace(/(?:\/[^\s'":]+)+/g, "…").slice(0, 300);
