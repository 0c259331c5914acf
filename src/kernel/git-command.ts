/** What git said, and whether it did what it was asked. */
export interface GitAnswer {
  isDone: boolean;
  out: string;
  /** Why not, in git's own words. */
  problem: string;
}

export interface GitRun {
  folder: string;
  /** Laid over the environment of this process. */
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** What git reads from its standard input. */
  input?: string;
}

/**
 * Nothing is done besides what was asked: no hooks, no other repositories, no sweeping. An index is
 * written whole, because the part that is split off would be put into a directory that is not kept.
 */
const always = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.splitIndex=false",
  "fetch.recurseSubmodules=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
].flatMap((setting) => ["-c", setting]);

export const notInstalled = "git is not installed";

const timeoutMs = 60_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** The one place that starts git. */
export function runGit(words: readonly string[], { folder, env, signal, input }: GitRun) {
  const surroundings = { ...ownEnvironment(process.env), ...quiet, ...env };
  // Loaded here, because a search never needs it and every start would pay for it.
  const { execFile } = process.getBuiltinModule("node:child_process");
  const options = { cwd: folder, env: surroundings, signal };
  const limits = { timeout: timeoutMs, maxBuffer: maxOutputBytes };
  return new Promise<GitAnswer>((resolve) => {
    const child = execFile(
      "git",
      [...always, ...words],
      { ...options, ...limits },
      (error, out, said) => {
        const isLate = signal.aborted || error?.killed === true;
        const reason = isLate ? "git did not end in time" : reasonIn(said);
        const problem = error?.code === "ENOENT" ? notInstalled : reason;
        resolve({ isDone: error === null, out, problem });
      },
    );
    // Git may end before it has read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input ?? "");
  });
}

/** Nobody is asked for a password, and only these protocols are spoken. */
const quiet = {
  GIT_ALLOW_PROTOCOL: "https:ssh",
  GIT_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
  SSH_ASKPASS: "",
};

/**
 * Variables of git decide how a person reaches a server, and that is theirs to say; those that
 * say which repository is meant, or how it is shown, belong to whatever started this process.
 */
const ownEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || personal.test(name)),
  );

const personal =
  /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|CURL_|EXEC_PATH|HTTP_|PROXY_|SSH|SSL_|TRACE)/;

/** Git says at length what went wrong and what to do. Places are left out. */
function reasonIn(said: string): string {
  const lines = said.trim().split("\n");
  const reason = lines.find((line) => /^(?:fatal|error|ssh):/.test(line)) ?? lines[0];
  return (reason || "git failed without a word").replace(/(?:\/[^\s'":]+)+/g, "…").slice(0, 300);
}
