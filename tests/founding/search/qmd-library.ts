import { execFile } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect } from "vitest";
import { builtFile, freshHome, runProgram } from "../../journeys/program.ts";
import { startProcess, until } from "../../programs/process.ts";
import { type Line, request } from "../../programs/wire.ts";
import type { Agent, Body, SurfaceClients, ToolResult } from "../answers.ts";
import { callEverySurface } from "../every-surface.ts";

export type QmdServer = Awaited<ReturnType<typeof startQmdServer>>;

/**
 * Starts `qmd server --transport both` on a free port with these documents, and returns clients: an
 * agent on stdio, an agent over HTTP, REST, and `qmd` commands as separate processes on the same
 * home. The first segment of a file's path is its collection.
 */
export async function startQmdServer(
  files: Record<string, string>,
  contexts: Record<string, string> = {},
) {
  const home = realpathSync(freshHome());
  const root = join(home, "library");
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);

  const { server, url } = await startProgram(home);
  const rest = restClient(url);
  const surfaces: SurfaceClients = {
    agents: [stdioAgent(server), httpAgent(rest)],
    rest,
    qmd: (...args) => runProgram(args, { home, file: builtFile("qmd.js") }),
  };
  const initializeAnswer = await surfaces.agents[0]?.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "founding", version: "1" },
  });
  for (const name of new Set(Object.keys(files).map((file) => file.split("/")[0] ?? ""))) {
    const added = await rest("POST /collections/add", { name, path: join(root, name) });
    expect(added, JSON.stringify(added.body)).toMatchObject({ status: 200 });
  }
  for (const [path, text] of Object.entries(contexts)) {
    expect(await rest("POST /contexts/add", { path, text })).toMatchObject({ status: 200 });
  }

  return {
    ...surfaces,
    ...callEverySurface(surfaces),
    ...createShell(home, url),
    home,
    root,
    url,
    initializeAnswer,
    write,
    /** The path of a collection, or of something in it. */
    pathOf: (path: string) => join(root, path),
    async close() {
      server.child.stdin.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function startProgram(home: string) {
  const server = startProcess(
    [process.execPath, builtFile("qmd.js"), "server", "--transport", "both", "--port", "0"],
    { LECTERN_HOME: home },
  );
  const address = () => /http:\/\/\S+?:\d+(?=\/mcp)/.exec(server.output.stderr)?.[0];
  await until(() => address() !== undefined, "the server prints its address");
  return { server, url: address() ?? "" };
}

function restClient(url: string): SurfaceClients["rest"] {
  return async (route, input, headers = {}) => {
    const [method = "", path = ""] = route.split(" ");
    const body = typeof input === "string" ? input : JSON.stringify(input);
    const response = await fetch(url + path, {
      method,
      headers: { ...(input !== undefined && { "content-type": "application/json" }), ...headers },
      ...(input !== undefined && { body }),
    });
    const type = response.headers.get("content-type") ?? "";
    // A test fails if a field that it uses is missing.
    return { status: response.status, type, body: (await response.json()) as Body };
  };
}

function stdioAgent({ child, answerTo }: ReturnType<typeof startProcess>): Agent {
  let count = 0;
  return createAgent("stdio", (method, params) => {
    const id = `asked ${++count}`;
    child.stdin.write(request(id, method, params));
    return answerTo(id);
  });
}

function httpAgent(rest: SurfaceClients["rest"]): Agent {
  return createAgent("HTTP", async (method, params) => {
    const { body } = await rest("POST /mcp", { jsonrpc: "2.0", id: 1, method, params });
    // `/mcp` answers a request with one message.
    return body as unknown as Line;
  });
}

function createAgent(over: Agent["over"], ask: Agent["ask"]): Agent {
  return {
    over,
    ask,
    async call(name, input = {}) {
      const { result, error } = await ask("tools/call", { name, arguments: input });
      if (!result) throw new Error(`${name} was refused by the protocol: ${error?.message}`);
      // A test fails if a field that it uses is missing.
      return result as unknown as ToolResult;
    },
  };
}

/** A shell with `qmd` on PATH, in which curl connects the documented port to this server. */
function createShell(home: string, url: string) {
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(builtFile("qmd.js"), join(bin, "qmd"));
  const address = `127.0.0.1:${new URL(url).port}`;
  writeFileSync(join(home, ".curlrc"), `silent\nconnect-to = "localhost:18765:${address}"\n`);
  const env = {
    LECTERN_HOME: home,
    CURL_HOME: home,
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  const options = { cwd: home, env: { ...process.env, ...env } };
  /** Runs a command line, which must exit with 0, and returns its output. */
  const runLine = (line: string): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile("bash", ["-c", line], options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${line}\n${stderr}`, { cause: error }));
        else resolve(stdout);
      });
    });
  /** Starts a command line and returns the process with its streams. */
  const startLine = (line: string) => startProcess(["bash", "-c", `exec ${line}`], env);
  return { runLine, startLine };
}
