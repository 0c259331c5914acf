/** The output of a git command. */
export interface GitResult {
  succeeded: boolean;
  stdout: string;
  /** The error message of git, if the command failed. */
  problem: string;
}

export interface GitRunOptions {
  folder: string;
  /** Added to the environment of this process. */
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** The standard input of git. */
  input?: string;
}

/**
 * Disables hooks, submodules and maintenance. The index is written to one file, because the files
 * of a split index would be created in a temporary directory.
 */
const fixedConfig = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.splitIndex=false",
  "fetch.recurseSubmodules=false",
  "gc.auto=0",
  "log.mailmap=false",
  "maintenance.auto=false",
  "submodule.recurse=false",
].flatMap((setting) => ["-c", setting]);

export const gitNotInstalled = "git is not installed";
export const gitTimedOut = "git timed out";

const timeoutMs = 60_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** Runs git. No other module may start it. */
export function runGit(args: readonly string[], { folder, env, signal, input }: GitRunOptions) {
  const environment = { ...personalEnvironment(process.env), ...nonInteractiveEnv, ...env };
  // Loaded lazily, because most commands do not need it and loading slows down every start.
  const { execFile } = process.getBuiltinModule("node:child_process");
  const options = { cwd: folder, env: environment, signal };
  const limits = { timeout: timeoutMs, maxBuffer: maxOutputBytes };
  return new Promise<GitResult>((resolve) => {
    const child = execFile(
      "git",
      [...fixedConfig, ...args],
      { ...options, ...limits },
      (error, stdout, stderr) => {
        const isTimedOut = signal.aborted || error?.killed === true;
        const reason = isTimedOut ? gitTimedOut : parseGitError(stderr);
        const problem = error?.code === "ENOENT" ? gitNotInstalled : reason;
        resolve({ succeeded: error === null, stdout, problem });
      },
    );
    // Git may exit before it has read all of its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input ?? "");
  });
}

/** Never prompts for a password, and allows only these protocols. */
const nonInteractiveEnv = {
  GIT_ALLOW_PROTOCOL: "https:ssh",
  GIT_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
  SSH_ASKPASS: "",
};

/**
 * Keeps the git variables that configure how the user connects to servers. Drops those that select
 * a repository or change the output, because they belong to the process that started this one.
 */
const personalEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !name.startsWith("GIT_") || personalVariables.test(name),
    ),
  );

const personalVariables =
  /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|CURL_|EXEC_PATH|HTTP_|PROXY_|SSH|SSL_|TRACE)/;

/** The first error line of git, shortened and without paths. */
function parseGitError(stderr: string): string {
  const lines = stderr.trim().split("\n");
  const reason = lines.find((line) => /^(?:fatal|error|ssh):/.test(line)) ?? lines[0];
  return (reason || "git failed without a message").replace(/(?:\/[^\s'":]+)+/g, "…").slice(0, 300);
}
