import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startProcess } from "../../programs/process.ts";
import { request } from "../../programs/wire.ts";
import { builtFile, freshHome, runProgram, type Served, startServer } from "../program.ts";

/**
 * Runs the command lines of the founding documents, unchanged, in a real shell: `qmd` and `qmdc`
 * are on the path, and curl connects the documented ports to this server.
 */
const home = freshHome();
const folder = join(home, "library");
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const commands = join(home, "bin");
let server: Served;

beforeAll(async () => {
  mkdirSync(folder);
  mkdirSync(commands);
  writeFileSync(join(folder, "meeting.md"), "# Meeting notes\n\nThe meeting was short.\n");
  for (const name of ["qmd", "qmdc"]) symlinkSync(builtFile(`${name}.js`), join(commands, name));
  const added = await runProgram(["collection", "add", folder, "--name", "library"], { home });
  expect(added.code, added.stderr).toBe(0);
  server = await startServer(home);
  const { port } = new URL(server.url);
  const lines = [8765, 18765].map((known) => `connect-to = "localhost:${known}:127.0.0.1:${port}"`);
  writeFileSync(join(home, ".curlrc"), `silent\n${lines.join("\n")}\n`);
});

afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

const env = {
  ...process.env,
  LECTERN_HOME: home,
  CURL_HOME: home,
  PATH: [commands, dirname(process.execPath), process.env.PATH].join(delimiter),
};

/** Runs a line, which must exit with 0 without output on stderr, and returns its output. */
async function runLine(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", line], { cwd: repository, env }, (error, stdout, stderr) => {
      if (error || /WARN|ERROR/.test(stderr))
        reject(new Error(`${line}\n${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

const jsonOf = async (line: string) => JSON.parse(await runLine(line));

test("[core.literal.tools-route] a tool is called on its own route, with its parameters in `arguments`", async () => {
  const line = (tool: string) => `curl -X POST http://localhost:8765/tools/${tool} \\
  -H "Content-Type: application/json" \\
  -d '{"arguments": {}}'`;

  expect(await jsonOf(line("status"))).toMatchObject({
    success: true,
    data: { totalDocuments: 1 },
  });
  expect(await jsonOf(line("list_codes"))).toMatchObject({
    success: false,
    error_code: "NO_PROJECT",
  });
});

test("[core.literal.plain-mcp] curl lists and calls tools on /mcp, without a session and with its default Accept header", async () => {
  expect(
    await jsonOf(`# List all tools (returns full schemas)
curl -X POST http://localhost:8765/mcp \\
  -H "Content-Type: application/json" \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}'`),
  ).toMatchObject({
    id: 1,
    result: {
      tools: expect.arrayContaining([
        expect.objectContaining({ name: "search", inputSchema: expect.anything() }),
      ]),
    },
  });
  expect(
    await jsonOf(`# Call a tool
curl -X POST http://localhost:8765/mcp \\
  -H "Content-Type: application/json" \\
  -d '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}}'`),
  ).toMatchObject({ id: 2, result: { structuredContent: { totalDocuments: 1 } } });
});

test("[core.literal.discovery] GET / reports that the server is running", async () => {
  const answer = await jsonOf("curl http://localhost:8765/");
  expect(answer).toMatchObject({ name: expect.any(String) });
});

test("[core.literal.echo] an echoed initialize with empty params is answered, and the server exits", async () => {
  const answer = await jsonOf(
    `echo '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}' | node dist/index.js`,
  );
  expect(answer).toMatchObject({
    id: 1,
    result: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: "documcp", version: "1.0.0" },
    },
  });
});

test("[core.literal.echo] a call echoed over several lines is answered", async () => {
  const answer = await jsonOf(`echo '{
  "jsonrpc": "2.0",
  "id": 2,
  "method": "tools/call",
  "params": {
    "name": "analyze_repository",
    "arguments": {"path": "./test-repo"}
  }
}' | node dist/index.js`);
  expect(answer).toMatchObject({
    id: 2,
    result: {
      content: [{ type: "text", text: "Error: Repository path does not exist" }],
      isError: true,
    },
  });
});

test("[core.literal.rest] search, status and health answer as documented", async () => {
  const found = await jsonOf(`curl -X POST http://localhost:18765/search \\
  -H "Content-Type: application/json" \\
  -d '{"query": "meeting notes", "limit": 5, "min_score": 0.5}'`);
  expect(found).toEqual({
    results: [
      {
        docid: expect.stringMatching(/^#[0-9a-f]{6}$/),
        file: "library/meeting.md",
        title: "Meeting notes",
        score: expect.any(Number),
        context: null,
        snippet: "1: # Meeting notes\n2: \n3: The meeting was short.",
        line: 1,
        match_line: 1,
        end_line: expect.any(Number),
        headings: ["Meeting notes"],
      },
    ],
    content: expect.stringMatching(
      /^Found 1 result for "meeting notes"\n\n#[0-9a-f]{6} \d+% library\/meeting.md - Meeting notes$/,
    ),
  });
  expect(await jsonOf("curl http://localhost:18765/status")).toEqual({
    total_documents: 1,
    needs_embedding: 1,
    has_vector_index: false,
    revision: expect.any(Number),
    models: expect.objectContaining({ embedding: "all-MiniLM-L6-v2", expansion: "none" }),
    collections: [expect.objectContaining({ path: folder, documents: 1 })],
    content: `QMD Index Status:\n  Total documents: 1\n  Needs embedding: 1\n  Vector index: no\n  Collections: 1\n    - ${folder} (1 docs)`,
  });
  expect(await jsonOf("curl http://localhost:18765/health")).toEqual({
    status: "healthy",
    model_loaded: true,
  });
});

const initialize = request(1, "initialize", {});

test.each(["qmd mcp", "qmd server --transport mcp"])(
  "[core.literal.qmd] '%s' serves an agent on stdio",
  async (line) => {
    const { child, ended, lines } = startProcess(["bash", "-c", `exec ${line}`], env);
    child.stdin.end(initialize);

    expect(await ended).toEqual({ code: 0, signal: null });
    expect(lines).toMatchObject([{ result: { serverInfo: { name: "qmd", version: "1.0.0" } } }]);
  },
);

test("[core.literal.qmd] 'qmd server --transport both' serves an agent and HTTP", async () => {
  const line = "exec qmd server --transport both --port 0";
  const { child, ended, output, answerTo } = startProcess(["bash", "-c", line], env);
  child.stdin.write(initialize);
  expect(await answerTo(1)).toMatchObject({ result: { serverInfo: { name: "qmd" } } });
  await expect.poll(() => output.stderr).toMatch(/http:\/\/\S+\/mcp/);
  const url = /http:\/\/\S+?:\d+/.exec(output.stderr)?.[0];
  expect(await jsonOf(`curl ${url}/health`)).toMatchObject({ status: "healthy" });

  child.stdin.end();
  expect(await ended).toEqual({ code: 0, signal: null });
  await expect(runLine(`curl ${url}/health`)).rejects.toThrow();
});

test("[core.literal.qmd] 'qmd server --transport http' serves HTTP until it is stopped", async () => {
  const line = "exec qmd server --transport http --port 0";
  const { child, ended, output } = startProcess(["bash", "-c", line], env);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await expect.poll(() => output.stderr).toMatch(/http:\/\/\S+\/mcp/);
  const url = /http:\/\/\S+?:\d+/.exec(output.stderr)?.[0];
  expect(await jsonOf(`curl ${url}/status`)).toMatchObject({ total_documents: 1 });
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, signal: null });
});

test("[core.literal.qmdc] 'qmdc mcp' answers initialize with its own name before its shelf is ready", async () => {
  const line = `exec qmdc mcp --force-root ${folder}`;
  const { child, ended, lines } = startProcess(["bash", "-c", line], env);
  child.stdin.end(initialize);
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(lines).toMatchObject([{ id: 1, result: { serverInfo: { name: "qmdc" } } }]);
});

test("[core.literal.qmdc] 'qmdc mcp --force-root' passes the documented handshake and error codes", async () => {
  const line = `exec qmdc mcp --shelves search --force-root ${folder}`;
  const { child, ended, answerTo, next } = startProcess(["bash", "-c", line], env);
  const ask = (id: number, method: string, params?: object) => {
    child.stdin.write(request(id, method, params));
    return answerTo(id);
  };

  expect(await ask(1, "initialize", {})).toMatchObject({
    result: { serverInfo: { name: "qmdc" } },
  });
  expect(await ask(2, "initialized")).toMatchObject({ result: {} });
  expect(await ask(3, "tools/list")).toMatchObject({ result: { tools: expect.any(Array) } });
  expect(
    await ask(4, "tools/call", { name: "get", arguments: { file: "meeting.md" } }),
  ).toMatchObject({ result: { content: [{ type: "resource" }] } });
  expect(await ask(5, "resources/list")).toMatchObject({ result: { resources: [] } });
  expect(await ask(6, "resources/read", { uri: "qmd://library/meeting.md" })).toMatchObject({
    result: { contents: [{ text: expect.stringContaining("The meeting was short.") }] },
  });
  child.stdin.write('{"jsonrpc":"2.0","id":7}\n');
  expect(await answerTo(7)).toMatchObject({ error: { code: -32600 } });
  child.stdin.write("not json\n");
  expect(await next(({ id }) => id === null)).toMatchObject({ error: { code: -32700 } });
  expect(await ask(8, "no/such/method")).toMatchObject({ error: { code: -32601 } });
  expect(await ask(9, "shutdown")).toMatchObject({ result: {} });
  expect(await ended).toEqual({ code: 0, signal: null });
});
