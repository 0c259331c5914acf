import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built program, as an installed user starts it. */
const script = fileURLToPath(new URL("../../dist/lectern.js", import.meta.url));
if (!existsSync(script)) throw new Error("dist/ is missing: run `npm run build` first.");

export const lectern: readonly string[] = [process.execPath, script];

export const builtFile = (name: string): string =>
  fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));

/** The bundled sample library. */
export const sample = fileURLToPath(new URL("../../sample", import.meta.url));

export const freshHome = (): string => mkdtempSync(join(tmpdir(), "lectern-home-"));

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command until it exits. */
export function runProgram(
  args: readonly string[],
  options: {
    home: string;
    cwd?: string;
    env?: Record<string, string>;
    file?: string;
    stdin?: string;
    /** The user that runs it. */
    uid?: number;
  },
): Promise<Ended> {
  const file = options.file ?? script;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      {
        cwd: options.cwd ?? options.home,
        ...(options.uid !== undefined && { uid: options.uid }),
        env: { ...process.env, LECTERN_HOME: options.home, ...options.env },
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const code = typeof error?.code === "number" ? error.code : error ? 1 : 0;
        resolve({ code, stdout, stderr });
      },
    );
    child.stdin?.end(options.stdin ?? "");
  });
}

export interface Served {
  url: string;
  child: ChildProcess;
  stop(): Promise<number | null>;
}

/** Starts `lectern serve` on a free port and waits until it answers. */
export async function startServer(
  home: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  [program = "", ...nodeArgs]: readonly string[] = lectern,
): Promise<Served> {
  const child = spawn(program, [...nodeArgs, "serve", "--port", "0", ...args], {
    cwd: home,
    env: { ...process.env, LECTERN_HOME: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      output += chunk;
      const found = /http:\/\/[^\s/]+/.exec(output)?.[0];
      if (found) resolve(found);
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${output}`)));
  });
  return {
    url,
    child,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = await ended;
      return code as number | null;
    },
  };
}
