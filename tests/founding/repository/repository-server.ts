import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { childSource } from "../../child-source.ts";
import { startProcess } from "../../programs/process.ts";
import { request } from "../../programs/wire.ts";

/** The program as `dist/index.js` starts it, from its sources. */
const server = childSource(`
  import { run } from "./src/main.ts";

  Object.assign(globalThis, { LECTERN_VERSION: "0.0.0" });
  await run("documcp", ["mcp", ...process.argv.slice(2)], "test");
`);

/** A folder with these files, and a separate home. */
export function createRepository(files: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), "lectern-documcp-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const root = join(home, "project");
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, home: join(home, "home") };
}

export type Repository = ReturnType<typeof createRepository>;

/** Starts the server in that folder. */
export function start(
  { root, home }: Repository,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: readonly string[] } = {},
) {
  const started = startProcess([process.execPath, server, "--root", root, ...args], {
    LECTERN_HOME: home,
    ...env,
  });
  onTestFinished(async () => {
    started.child.kill();
    await started.ended;
  });
  return { ...started, send: (text: string) => started.child.stdin.write(text) };
}

/** Pipes a text into the server; returns its output and exit code. */
export async function piped(
  repository: Repository,
  text: string,
  env: Record<string, string> = {},
) {
  const { child, lines, ended, output } = start(repository, { env });
  child.stdin.end(text);
  const { code } = await ended;
  return { lines, code, stderr: output.stderr };
}

/** The handshake as printed in the founding document, with a version. */
export const initialize = (protocolVersion = "2024-11-05"): string =>
  request(1, "initialize", {
    protocolVersion,
    capabilities: { roots: { listChanged: true }, sampling: {} },
    clientInfo: { name: "Claude Desktop", version: "0.7.0" },
  });

export const initialized = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;
