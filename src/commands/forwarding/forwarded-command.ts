import { type HomeFolders, homeFolders } from "../../kernel/home/settings.ts";

/**
 * The protocol between a command and the process that watches its home. That process has the code,
 * the index and the models in memory, so it answers a search before another process could load them.
 *
 * The client sends one line of JSON, and any byte after it to interrupt the command. The server
 * answers with frames: one byte for the kind, four for the length, and the payload.
 */
export interface ForwardedCommand {
  /** The fingerprint of the client's code; both sides must be of the same build. */
  readonly build: string;
  readonly program: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly home: HomeFolders;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
}

/** Properties of an output stream that decide how results are printed. */
export interface Terminal {
  readonly isTTY: boolean;
  readonly columns?: number | undefined;
}

export const frameKinds = {
  /** The server runs the command, or is still running it. */
  alive: 0,
  stdout: 1,
  stderr: 2,
  /** The payload is the exit code. */
  exit: 3,
  /** Another process must run the command. Nothing was printed. */
  declined: 4,
} as const;

export const frameHeaderBytes = 5;

/** How often the server of a running command sends a sign of life. */
export const aliveIntervalMs = 1_000;

/** Commands that only read, and that do the same in every process of a home. */
export const forwardedNames: ReadonlySet<string> = new Set([
  "backlinks",
  "deep-search",
  "facets",
  "find",
  "get",
  "grep",
  "list",
  "ls",
  "multi-get",
  "query",
  "search",
  "vector-search",
  "vsearch",
  "wiki-links",
]);

/** Options that concern the process itself: its editor, its shelves, its limits, another server. */
const localOptions = ["--force-root", "--mode", "--open", "--shelves"];

/** Variables that change the output of the forwarded commands. */
const forwardedVariables = [
  "FORCE_COLOR",
  "LECTERN_EDITOR_URI",
  "LECTERN_LOG_LEVEL",
  "NO_COLOR",
  "TERM",
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether another process may run this command. */
export const isForwardable = (argv: readonly string[], { DEBUG }: Environment): boolean =>
  process.platform !== "win32" &&
  !DEBUG &&
  forwardedNames.has(argv[0] ?? "") &&
  !argv.some((argument) => localOptions.some((option) => argument.startsWith(option)));

/** What the server needs of the client's process. */
export function describeClient(env: Environment): Pick<ForwardedCommand, "cwd" | "env" | "home"> {
  const variables = forwardedVariables.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const { config, data } = homeFolders(env);
  return { cwd: process.cwd(), env: Object.fromEntries(variables), home: { config, data } };
}
