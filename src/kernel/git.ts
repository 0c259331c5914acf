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

const settings = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.ext.allow=never"];

function git(folder: string, words: string[], signal: AbortSignal) {
  const given = ["-C", folder, ...settings.flatMap((setting) => ["-c", setting]), ...words];
  const env = { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "", SSH_ASKPASS: "" };
  // Loaded here, because a search never needs it and every start would pay for it.
  const { execFile } = process.getBuiltinModule("node:child_process");
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile("git", given, { env, signal, timeout: 60_000 }, (error, _stdout, stderr) => {
      const isMissing = error?.code === "ENOENT";
      resolve({ code: error ? 1 : 0, said: isMissing ? "git is not installed" : stderr });
    });
  });
}

/** Git says at length what went wrong and what to do; the reason comes first. Places are left out. */
const firstLine = (said: string): string =>
  (said.trim().split("\n")[0] ?? "").replace(/(?:\/[^\s'":]+)+/g, "…").slice(0, 300);
