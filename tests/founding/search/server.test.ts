import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../programs/process.ts";
import { request } from "../../programs/wire.ts";
import { type QmdLibrary, qmdLibrary } from "./qmd-library.ts";

/** Founding document 004: how `qmd` is started, what it calls itself, and what it offers. */
let library: QmdLibrary;

beforeAll(async () => {
  library = await qmdLibrary({ "notes/meeting.md": "# Meeting\n\nIt was short.\n" });
});

afterAll(() => library.close());

const greeting = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "founding", version: "1" },
};

const hello = (id: string) => request(id, "initialize", greeting);

const introduction = {
  protocolVersion: "2025-06-18",
  serverInfo: expect.objectContaining({ name: "qmd", version: "1.0.0" }),
};

test.each(["qmd mcp", "qmd server --transport mcp"])(
  "[search.server.stdio] '%s' serves an agent on stdio and ends with it",
  async (line) => {
    const { child, ended, answerTo } = library.started(line);
    child.stdin.write(hello("hello") + request("list", "tools/list"));
    expect(await answerTo("hello")).toMatchObject({ result: introduction });
    expect(await answerTo("list")).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "search" })]) },
    });

    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
  },
);

test("[search.server.stdio] with --transport mcp no port is opened", async () => {
  const port = await freePort();
  const { child, ended, answerTo } = library.started(`qmd server --transport mcp --port ${port}`);
  child.stdin.write(hello("hello"));
  await answerTo("hello");

  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  child.stdin.end();
  await ended;
});

test("[search.server.http] with --transport http REST is served on the given port, and stdio is silent", async () => {
  const port = await freePort();
  const { child, ended, lines, output } = library.started(
    `qmd server --transport http --port ${port}`,
  );
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  child.stdin.write(hello("hello"));
  await until(() => output.stderr.includes(`:${port}`), "the server listens");

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
  expect(library.greeting).toMatchObject({ result: introduction });
  const [overStdio] = library.agents;
  const added = { name: "more", path: library.place("notes") };
  expect(await library.rest("POST /collections/add", added)).toMatchObject({ status: 200 });
  expect((await overStdio?.call("status"))?.structuredContent.collections).toHaveLength(2);
  expect(await library.rest("DELETE /collections/more")).toMatchObject({ status: 200 });
});

test("[search.server.identity] the server identifies as qmd 1.0.0, over stdio and HTTP", async () => {
  for (const { over, ask } of library.agents) {
    const answer = over === "stdio" ? library.greeting : await ask("initialize", greeting);
    expect(answer, over).toMatchObject({ result: introduction });
  }
  const { body } = await library.rest("GET /");
  expect(body).toMatchObject({ name: "qmd", version: "1.0.0" });
  expect((await library.qmd("--version")).stdout).toMatch(/^qmd 1\.0\.0$/m);
});

test("[search.server.offers] there are six tools, one resource template and one prompt", async () => {
  for (const { over, ask } of library.agents) {
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
  const other = await holding(18765);
  onTestFinished(other.close);
  const { ended, output } = library.started("qmd server --transport http");

  expect(await ended).not.toMatchObject({ code: 0 });
  expect(output.stderr).toContain("18765");
  const asked = await library.qmd("search", "meeting", "--mode", "server");
  expect(asked).toMatchObject({ code: 7, stderr: expect.stringContaining("18765") });
  expect(other.received()).toBeGreaterThan(0);
});

test("[search.server.loopback] no password is needed, and only this machine is served", async () => {
  expect(new URL(library.url).hostname).toBe("127.0.0.1");
  expect(await library.rest("GET /status")).toMatchObject({ status: 200 });
  const { ended, output } = library.started("qmd server --transport http --port 0 --host 0.0.0.0");

  expect(await ended).not.toMatchObject({ code: 0 });
  expect(output.stderr).toContain("token");
});

test("[search.server.json] responses are JSON over HTTP/1.1, including errors", async () => {
  const form = "%{http_version} %{content_type} %{http_code}\\n";
  const asked = (words: string) => library.typed(`curl -o /dev/null -w '${form}' ${words}`);

  expect(await asked("http://localhost:18765/status")).toMatch(/^1\.1 application\/json\S* 200\n$/);
  expect(await asked("http://localhost:18765/nothing")).toMatch(
    /^1\.1 application\/json\S* 404\n$/,
  );
});

test("[search.server.one-index] REST, an agent and the command line search the same documents", async () => {
  library.put("notes/fresh.md", "# Fresh\n\nA zeppelin.\n");
  await library.rest("POST /index");
  expect(await library.found("search", { query: "zeppelin" })).toMatchObject([
    { file: "notes/fresh.md" },
  ]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Holds a port with something that is no server of ours; whoever has it now is waited for. */
async function holding(port: number) {
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
