import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { patterns, smallTree } from "../../fixtures/architecture/architecture-library.ts";
import { call, type Line, request } from "../../programs/wire.ts";
import {
  connectByBridge,
  createProject,
  createSampleProject,
  startStdio,
} from "./architecture-server.ts";

interface Client {
  lines: Line[];
  answerTo(id: string | number): Promise<Line>;
  next(matches: (line: Line) => boolean): Promise<Line>;
  send(text: string): unknown;
}

const initialized = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;
const initialize = request(0, "initialize", {
  protocolVersion: "2024-11-05",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

/** The same client over stdio and over the bridge. */
const transports: Record<string, (project: ReturnType<typeof createProject>) => Promise<Client>> = {
  stdio: async (project) => startStdio(project),
  bridge: connectByBridge,
};

for (const [transport, connect] of Object.entries(transports)) {
  describe(`over ${transport}`, () => {
    test("[architecture.protocol.methods] every method of the founding document works", async () => {
      const client = await connect(createSampleProject());
      const ask = async (id: number, method: string, params: object = {}) => {
        client.send(request(id, method, params));
        return (await client.answerTo(id)).result;
      };
      client.send(initialize);
      const answer = await client.answerTo(0);
      client.send(initialized);

      expect(answer.result).toMatchObject({
        protocolVersion: "2024-11-05",
        capabilities: {
          resources: {},
          prompts: {},
          tools: {},
          completion: { argumentCompletions: true },
          completions: {},
        },
      });
      expect(await ask(1, "resources/list")).toMatchObject({
        resources: expect.arrayContaining([
          expect.objectContaining({ uri: "architecture://patterns/one-ledger" }),
        ]),
      });
      expect(
        await ask(2, "resources/read", { uri: "architecture://adr/001-keep-loans-in-one-ledger" }),
      ).toMatchObject({ contents: [{ mimeType: "text/markdown", text: expect.any(String) }] });
      expect(await ask(3, "prompts/list")).toMatchObject({ prompts: { length: 5 } });
      expect(
        await ask(4, "prompts/get", { name: "label-an-item", arguments: { item: "A lens" } }),
      ).toMatchObject({ messages: [{ content: { text: expect.stringContaining("A lens") } }] });
      expect(JSON.stringify(await ask(5, "tools/list"))).toMatch(
        /search-architecture.*validate-against-pattern.*check-adr-alignment/s,
      );
      expect(
        await ask(6, "tools/call", { name: "search-architecture", arguments: { query: "ledger" } }),
      ).toMatchObject({ content: [{ type: "text" }], structuredContent: { total_matches: 2 } });
      expect(
        await ask(7, "completion/complete", {
          ref: { type: "ref/prompt", name: "guided-pattern-validation" },
          argument: { name: "pattern_name", value: "one" },
        }),
      ).toMatchObject({ completion: { values: ["one-ledger"] } });
    });

    test("[architecture.protocol.errors] each kind of error has its code, and the next line is processed", async () => {
      const client = await connect(createProject(smallTree));
      client.send(initialize);
      await client.answerTo(0);
      client.send(`not json\n${JSON.stringify({ jsonrpc: "1.0", id: 1, method: "ping" })}\n`);
      client.send(request(2, "no/such/method"));
      client.send(request(3, "resources/read", {}));
      client.send(request(4, "prompts/get", { name: "create-adr", arguments: {} }));
      client.send(call(5, "validate-against-pattern", { code: "x", pattern_name: "nowhere" }));
      client.send(
        request(6, "resources/read", { uri: "architecture://patterns/../../etc/passwd" }),
      );

      expect(await client.next(({ error }) => error?.code === -32700)).toMatchObject({ id: null });
      expect(await client.answerTo(1)).toMatchObject({ error: { code: -32600 } });
      expect(await client.answerTo(2)).toMatchObject({ error: { code: -32601 } });
      expect(await client.answerTo(3)).toMatchObject({ error: { code: -32602 } });
      expect(await client.answerTo(4)).toMatchObject({ error: { code: -32602 } });
      expect(await client.answerTo(5)).toMatchObject({ result: { isError: true } });
      expect(await client.answerTo(6)).toMatchObject({
        error: { code: -32602, message: "Resource not found" },
      });
      const serialized = JSON.stringify(client.lines);
      expect(serialized).not.toMatch(/lectern-project-|\/tmp\/|node_modules|\.ts:\d/);
    });

    test("[architecture.live.notifications] a client is notified of changes without asking", async () => {
      const project = createProject(smallTree);
      const client = await connect(project);
      const uri = "architecture://patterns/repository-pattern.md#implementation";
      client.send(initialize);
      await client.answerTo(0);
      client.send(initialized + request(1, "resources/subscribe", { uri }));
      await client.answerTo(1);
      const notified = (method: string, more: object = {}) =>
        client.next(
          (line) =>
            line.method === method &&
            JSON.stringify(line.params ?? {}).includes(JSON.stringify(more).slice(1, -1)),
        );

      // Files written before the server's initial scan are not changes, so files are written
      // repeatedly.
      let count = 0;
      const writing = setInterval(() => project.write(`${patterns}/n${count++}.md`, "# N\n"), 300);
      await notified("notifications/resources/list_changed");
      clearInterval(writing);
      project.write(`${patterns}/repository-pattern.md`, "# Repository pattern\n\nAnother.\n");
      await notified("notifications/resources/updated", { uri });
      project.write(
        "mcp/prompts/p.json",
        JSON.stringify({
          name: "p",
          messages: [{ role: "user", content: { type: "text", text: "x" } }],
        }),
      );
      await notified("notifications/prompts/list_changed");
    });
  });
}

test("[architecture.protocol.no-listener] a server on stdio opens no socket", async () => {
  const { child, send, answerTo } = startStdio(createProject(smallTree));
  send(initialize);
  await answerTo(0);
  send(request(1, "resources/list"));
  await answerTo(1);
  const folder = `/proc/${child.pid}/fd`;
  const listening = listeningSockets();
  const sockets = readdirSync(folder).flatMap((fd) => {
    try {
      return /socket:\[(\d+)\]/.exec(readlinkSync(join(folder, fd)))?.[1] ?? [];
    } catch {
      return [];
    }
  });

  expect(sockets.filter((inode) => listening.has(inode))).toEqual([]);
});

/** The inodes of listening TCP sockets, from `/proc`. */
function listeningSockets(): Set<string> {
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFileSync(path, "utf8"));
  const rows = tables
    .join("\n")
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  return new Set(rows.filter(([, , , state]) => state === "0A").map((row) => row[9] ?? ""));
}

describe("[architecture.logging.levels] the log level filters the log, which goes only to stderr", () => {
  const logAt = async (level: string, env: Record<string, string> = {}) => {
    const project = createProject({ ...smallTree, [`${patterns}/empty.md`]: "" });
    const { child, send, answerTo, ended, output, lines } = startStdio(project, level, env);
    send(initialize);
    await answerTo(0);
    send(request(1, "resources/read", { uri: "architecture://adr/1" }));
    await answerTo(1);
    child.stdin.end();
    await ended;
    for (const line of lines) expect(line).toMatchObject({ jsonrpc: "2.0" });
    return output.stderr;
  };
  test("INFO logs each call, without details", async () => {
    const log = await logAt("INFO");
    expect(log).toMatch(/INFO read architecture:\/\/adr\/1 .*outcome="ok"/);
    expect(log).toMatch(/WARN a document is skipped/);
    expect(log).not.toContain("DEBUG");
  });
  test("WARN logs only degraded states", async () => {
    const log = await logAt("WARN");
    expect(log).toMatch(/WARN a document is skipped/);
    expect(log).not.toContain("INFO");
  });
  test("ERROR logs only errors", async () => expect(await logAt("ERROR")).toBe(""));
  test("DEBUG logs every message in full, in both directions", async () => {
    const log = await logAt("DEBUG");
    expect(log).toMatch(/mcp:protocol <- .*resources\/read/);
    expect(log).toMatch(/mcp:protocol -> .*Teams wait for each other/);
  });
  test("INFO omits the messages, unless DEBUG=mcp:* is set", async () => {
    expect(await logAt("INFO")).not.toContain("Teams wait");
    expect(await logAt("INFO", { DEBUG: "mcp:*" })).toContain("Teams wait");
  });
});
