import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const packageFile = (name: string): string =>
  createRequire(import.meta.url).resolve(`${name}/package.json`);

/** The suite and its clients need a newer Node than Lectern; the `node` package provides it. */
export const newerNode =
  Number(process.versions.node.split(".")[0]) >= 24
    ? process.execPath
    : join(dirname(packageFile("node")), "bin", process.platform === "win32" ? "node.exe" : "node");

const suite = join(dirname(packageFile("@modelcontextprotocol/conformance")), "dist", "index.js");

export interface SuiteRun {
  code: number;
  output: string;
  /** Names of scenarios that ran, those that failed, and those whose failures are ignored. */
  ran: string[];
  failed: string[];
  unscored: string[];
}

/** Runs the official conformance suite, of one version or one scenario, against a server. */
export async function runSuite(url: string, args: readonly string[]): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), "lectern-suite-"));
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    const cliArgs = [suite, "server", "--url", url, "-o", folder, ...args];
    execFile(newerNode, cliArgs, { cwd: folder, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
  rmSync(folder, { recursive: true, force: true });
  const [summary = "", notScored = ""] = output.split("Not scored for");
  const names = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map((match) => match[1] ?? "");
  return {
    code,
    output,
    ran: names(summary, /^[✓✗] ([\w-]+):/gm),
    failed: names(summary, /^✗ ([\w-]+):/gm),
    unscored: names(notScored, /^ +[✓✗] ([\w-]+) \(/gm),
  };
}

export interface Fixture {
  url: string;
  stop(): Promise<void>;
}

/** Starts the fixture on a free port, with a guarantee removed if requested. */
export async function startFixture(damage = "none"): Promise<Fixture> {
  const script = fileURLToPath(new URL("start-fixture.mjs", import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, PORT: "0", DAMAGE: damage },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [url] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(([code]) => {
      throw new Error(`The fixture ended with ${code}.`);
    }),
  ]);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
