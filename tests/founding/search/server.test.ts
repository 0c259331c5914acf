import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../programs/process.ts";
import { request } from "../../programs/wire.ts";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: how `qmd` is started, its identity, and its capabilities. */
let qmd: QmdServer;

beforeAll(async () => {
  qmd = await startQmdServer({ "notes/meeting.md": "# Meeting\n\nIt was short.\n" });
});

afterAll(() => qmd.close());

const initializeParams = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "founding", version: "1" },
};

const initialize = (id: string) => request(id, "initialize", initializeParams);

const initializeResult = {
  protocolVersion: "2025-06-18",
  serverInfo: expect.objectContaining({ name: "qmd", version: "1.0.0" }),
};

test.each(["qmd mcp", "qmd server --transport mcp"])(
  "[search.server.stdio] '%s' serves an agent on stdio and ends with it",
  async (line) => {
    const { child, ended, answerTo } = qmd.startLine(line);
    child.stdin.write(initialize("hello") + request("list", "tools/list"));
    expect(await answerTo("hello")).toMatchObject({ result: initializeResult });
    expect(await answerTo("list")).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "search" })]) },
    });

    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
  },
);

test("[search.server.stdio] with --transport mcp no port is opened", async () => {
  const port = await freePort();
  const { child, ended, answerTo } = qmd.startLine(`qmd server --transport mcp --port ${port}`);
  child.stdin.write(initialize("hello"));
  await answerTo("hello");

  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  child.stdin.end();
  await ended;
});

test("[search.server.http] with --transport http REST is served on the given port, and stdout is empty", async () => {
  const port = await freePort();
  const { child, ended, lines, output } = qmd.startLine(
    `qmd server --transport http --port ${port}`,
  );
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  child.stdin.write(initialize("hello"));
  await until(() => output.stderr.includes(`:${port}`), "the server is listening");

  const health = await fetch(`http://localhost:${port}/health`);
  expect(await health.json()).toMatchObject({ status: "healthy" });
  const search = await fetch(`http://localhost:${port}/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "meeting" }),
  });
  expect(await search.json()).toMatchObject({ results: [{ file: "notes/meeting.md" }] });
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(lines).toEqual([]);
});

test("[search.server.both] with --transport both one process serves an agent and HTTP", async () => {
  expect(qmd.initializeAnswer).toMatchObject({ result: initializeResult });
  const [overStdio] = qmd.agents;
  const added = { name: "more", path: qmd.pathOf("notes") };
  expect(await qmd.rest("POST /collections/add", added)).toMatchObject({ status: 200 });
  expect((await overStdio?.call("status"))?.structuredContent.collections).toHaveLength(2);
  expect(await qmd.rest("DELETE /collections/more")).toMatchObject({ status: 200 });
});

test("[search.server.identity] the server identifies as qmd 1.0.0, over stdio and HTTP", async () => {
  for (const { over, ask } of qmd.agents) {
    const answer =
      over === "stdio" ? qmd.initializeAnswer : await ask("initialize", initializeParams);
    expect(answer, over).toMatchObject({ result: initializeResult });
  }
  const { body } = await qmd.rest("GET /");
  expect(body).toMatchObject({ name: "qmd", version: "1.0.0" });
  expect((await qmd.qmd("--version")).stdout).toMatch(/^qmd 1\.0\.0$/m);
});

test("[search.server.offers] there are six tools, one resource template and one prompt", async () => {
  for (const { over, ask } of qmd.agents) {
    const listed = async (method: string) => (await ask(method)).result;
    expect(await listed("tools/list"), over).toMatchObject({
      tools: ["search", "vsearch", "query", "get", "multi_get", "status"].map((name) => ({ name })),
    });
    expect(await listed("resources/templates/list"), over).toMatchObject({
      resourceTemplates: [{ uriTemplate: "qmd://{+path}" }],
    });
    expect(await listed("prompts/list"), over).toMatchObject({ prompts: [{ name: "query" }] });
  }
});

test("[search.server.port] the default port is 18765, for the server and for clients", async () => {
  const occupied = await occupyPort(18765);
  onTestFinished(occupied.close);
  const { ended, output } = qmd.startLine("qmd server --transport http");

  expect(await ended).not.toMatchObject({ code: 0 });
  expect(output.stderr).toContain("18765");
  const curl = await qmd.qmd("search", "meeting", "--mode", "server");
  expect(curl).toMatchObject({ code: 7, stderr: expect.stringContaining("18765") });
  expect(occupied.received()).toBeGreaterThan(0);
});

test("[search.server.loopback] no password is needed, and only this machine is served", async () => {
  expect(new URL(qmd.url).hostname).toBe("127.0.0.1");
  expect(await qmd.rest("GET /status")).toMatchObject({ status: 200 });
  const { ended, output } = qmd.startLine("qmd server --transport http --port 0 --host 0.0.0.0");

  expect(await ended).not.toMatchObject({ code: 0 });
  expect(output.stderr).toContain("token");
});

test("[search.server.json] responses are JSON over HTTP/1.1, including errors", async () => {
  const format = "%{http_version} %{content_type} %{http_code}\\n";
  const curl = (curlArgs: string) => qmd.runLine(`curl -o /dev/null -w '${format}' ${curlArgs}`);

  expect(await curl("http://localhost:18765/status")).toMatch(/^1\.1 application\/json\S* 200\n$/);
  expect(await curl("http://localhost:18765/nothing")).toMatch(/^1\.1 application\/json\S* 404\n$/);
});

test("[search.server.one-index] REST, an agent and the command line search the same documents", async () => {
  qmd.write("notes/fresh.md", "# Fresh\n\nA zeppelin.\n");
  await qmd.rest("POST /index");
  expect(await qmd.resultsOf("search", { query: "zeppelin" })).toMatchObject([
    { file: "notes/fresh.md" },
  ]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a listening server contains its port.
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Occupies a port with another kind of server, after waiting until the port is free. */
async function occupyPort(port: number) {
  let received = 0;
  for (let tries = 0; ; tries++) {
    const server = createServer((socket) => {
      received++;
      socket.end("What?\r\n");
    }).listen(port, "127.0.0.1");
    const [error] = await Promise.race([once(server, "listening"), once(server, "error")]).catch(
      (problem) => [problem],
    );
    if (!error) return { received: () => received, close: () => void server.close() };
    if (tries > 100) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
