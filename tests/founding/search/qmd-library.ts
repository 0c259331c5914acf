import { execFile } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect } from "vitest";
import { builtFile, freshHome, runProgram } from "../../journeys/program.ts";
import { startProcess, until } from "../../programs/process.ts";
import { type Line, request } from "../../programs/wire.ts";
import type { Agent, Body, SurfaceClients, ToolResult } from "../answers.ts";
import { callEverySurface } from "../every-surface.ts";

export type QmdLibrary = Awaited<ReturnType<typeof qmdLibrary>>;

/**
 * Real documents behind every surface of the founding document: `qmd server --transport
 * both` on a free port serves an agent on stdio, agents over HTTP, and REST; `qmd …` is a separate
 * process on the same home. The first segment of a file's path is its collection.
 */
export async function qmdLibrary(
  files: Record<string, string>,
  contexts: Record<string, string> = {},
) {
  const home = realpathSync(freshHome());
  const library = join(home, "library");
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(library, file)), { recursive: true });
    writeFileSync(join(library, file), text);
  };
  for (const [file, text] of Object.entries(files)) put(file, text);

  const { server, url } = await startedServer(home);
  const rest = restAt(url);
  const surfaces: SurfaceClients = {
    agents: [overStdio(server), overHttp(rest)],
    rest,
    qmd: (...words) => runProgram(words, { home, file: builtFile("qmd.js") }),
  };
  const greeting = await surfaces.agents[0]?.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "founding", version: "1" },
  });
  for (const name of new Set(Object.keys(files).map((file) => file.split("/")[0] ?? ""))) {
    const added = await rest("POST /collections/add", { name, path: join(library, name) });
    expect(added, JSON.stringify(added.body)).toMatchObject({ status: 200 });
  }
  for (const [path, text] of Object.entries(contexts)) {
    expect(await rest("POST /contexts/add", { path, text })).toMatchObject({ status: 200 });
  }

  return {
    ...surfaces,
    ...callEverySurface(surfaces),
    ...shellOf(home, url),
    home,
    library,
    url,
    greeting,
    put,
    /** The path of a collection, or of something in it. */
    place: (path: string) => join(library, path),
    async close() {
      server.child.stdin.end();
      expect(await server.ended).toEqual({ code: 0, signal: null });
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function startedServer(home: string) {
  const server = startProcess(
    [process.execPath, builtFile("qmd.js"), "server", "--transport", "both", "--port", "0"],
    { LECTERN_HOME: home },
  );
  const address = () => /http:\/\/\S+?:\d+(?=\/mcp)/.exec(server.output.stderr)?.[0];
  await until(() => address() !== undefined, "the server has said where it is");
  return { server, url: address() ?? "" };
}

function restAt(url: string): SurfaceClients["rest"] {
  return async (route, input, headers = {}) => {
    const [method = "", path = ""] = route.split(" ");
    const body = typeof input === "string" ? input : JSON.stringify(input);
    const response = await fetch(url + path, {
      method,
      headers: { ...(input !== undefined && { "content-type": "application/json" }), ...headers },
      ...(input !== undefined && { body }),
    });
    const type = response.headers.get("content-type") ?? "";
    // Tests read the fields of their route, and fail if they are missing.
    return { status: response.status, type, body: (await response.json()) as Body };
  };
}

function overStdio({ child, answerTo }: ReturnType<typeof startProcess>): Agent {
  let asked = 0;
  return agent("stdio", (method, params) => {
    const id = `asked ${++asked}`;
    child.stdin.write(request(id, method, params));
    return answerTo(id);
  });
}

function overHttp(rest: SurfaceClients["rest"]): Agent {
  return agent("HTTP", async (method, params) => {
    const { body } = await rest("POST /mcp", { jsonrpc: "2.0", id: 1, method, params });
    // `/mcp` answers one request with one message.
    return body as unknown as Line;
  });
}

function agent(over: Agent["over"], ask: Agent["ask"]): Agent {
  return {
    over,
    ask,
    async call(name, input = {}) {
      const { result, error } = await ask("tools/call", { name, arguments: input });
      if (!result) throw new Error(`${name} was refused by the protocol: ${error?.message}`);
      // Tests read their tool's answer, and fail if it is missing.
      return result as unknown as ToolResult;
    },
  };
}

/**
 * A shell with `qmd` on PATH, in which curl reaches this server under the documented
 * port.
 */
function shellOf(home: string, url: string) {
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(builtFile("qmd.js"), join(bin, "qmd"));
  const here = `127.0.0.1:${new URL(url).port}`;
  writeFileSync(join(home, ".curlrc"), `silent\nconnect-to = "localhost:18765:${here}"\n`);
  const env = {
    LECTERN_HOME: home,
    CURL_HOME: home,
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  const options = { cwd: home, env: { ...process.env, ...env } };
  /** The output of a command line, which must exit with 0. */
  const typed = (line: string): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile("bash", ["-c", line], options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${line}\n${stderr}`, { cause: error }));
        else resolve(stdout);
      });
    });
  /** A process started by a command line, with its streams. */
  const started = (line: string) => startProcess(["bash", "-c", `exec ${line}`], env);
  return { typed, started };
}
