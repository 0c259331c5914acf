import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { freshHome, runProgram, sample, startServer } from "../program.ts";

async function startWithText(home = freshHome()) {
  const server = await startServer(home);
  const agents: Agent[] = [];
  onTestFinished(async () => {
    for (const agent of agents) agent.destroy();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const { hostname, port } = new URL(server.url);
  /** Opens a separate connection. TCP and the socket in the home count as different clients. */
  const connect = (transport: "tcp" | "home" = "tcp") => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const target =
      transport === "tcp" ? { hostname, port } : { socketPath: join(home, "lectern.sock") };
    return async (path: string, body: object, headers: Record<string, string> = {}) => {
      const clientRequest = request({ ...target, agent, path, method: "POST" });
      for (const [name, value] of Object.entries({ ...heads, ...headers })) {
        clientRequest.setHeader(name, value);
      }
      clientRequest.end(JSON.stringify(body));
      const [answer] = (await once(clientRequest, "response")) as [IncomingMessage];
      const session = String(answer.headers["mcp-session-id"] ?? "");
      return { status: answer.statusCode, session, body: await text(answer) };
    };
  };
  return { connect };
}

const heads = {
  host: "localhost",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

test("[objects.sql.flood] endless statements on many connections of one user do not prevent a short one from being answered", async () => {
  const { connect } = await startWithText();
  const query = (sql: string, ask = connect()) =>
    ask("/tools/qmdc_query_sql", { arguments: { path: join(sample, "catalogue"), sql } });
  const endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";
  const ended: string[] = [];
  const floods = Array.from({ length: 12 }, () =>
    query(endless).then(
      ({ body }) => ended.push(body),
      () => undefined,
    ),
  );
  // When the first one is stopped, all have arrived and most are waiting.
  await Promise.race(floods);
  expect(ended[0]).toContain("Stopped after 5 s.");
  for (const ask of [connect("home"), connect()]) {
    expect(await query("SELECT 40 + 2 AS answer", ask)).toMatchObject({
      status: 200,
      body: expect.stringContaining('"answer":42'),
    });
  }

  expect(ended.length).toBeLessThan(floods.length / 2);
});

test("[core.host.heavy] ten concurrent heavy searches delay neither small calls nor the heavy searches of other clients", async () => {
  const home = freshHome();
  const folder = join(home, "notes");
  mkdirSync(folder);
  for (let number = 0; number < 300; number++) {
    const words = "storm ".repeat(1 + (number % 7));
    writeFileSync(join(folder, `${number}.md`), `# Note ${number}\n\nThe lamp of ${words}night.\n`);
  }
  await runProgram(["collection", "add", folder, "--name", "notes"], { home });
  const { connect } = await startWithText(home);
  const ended: string[] = [];
  const search = async (name: string, ask: ReturnType<typeof connect>, limit: number) => {
    const { status, body } = await ask("/search", { query: "lamp storm", limit });
    ended.push(name);
    return [status, JSON.parse(body).results.length];
  };
  const flooding = Array.from({ length: 10 }, () => connect());
  const others = [connect(), connect("home")] as const;
  // All connections are opened first, so that the requests arrive in this order.
  for (const ask of [...flooding, ...others]) await ask("/search", { query: "nothing", limit: 1 });

  const heavy = flooding.map((ask) => search("flood", ask, 1_000));
  const answers = [search("small", others[0], 2), search("heavy of another", others[1], 1_000)];
  expect(await Promise.all(answers)).toEqual([
    [200, 2],
    [200, 300],
  ]);
  expect(await Promise.all(heavy)).toEqual(heavy.map(() => [200, 300]));
  expect(ended.at(-1)).toBe("flood");
  expect(ended.indexOf("small")).toBeLessThan(ended.indexOf("heavy of another"));
});

test("[core.mcp.session-kept] an active session survives any number of handshakes by clients of the same name", async () => {
  const { connect } = await startWithText();
  const message = (method: string, params: object, id?: number) => ({
    jsonrpc: "2.0",
    method,
    params,
    ...(id !== undefined && { id }),
  });
  const beginSession = async (ask: ReturnType<typeof connect>) => {
    const clientInfo = { name: "editor", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const { status, session } = await ask("/mcp", message("initialize", params, 1));
    expect(status).toBe(200);
    const sessionHeaders = { "mcp-session-id": session };
    await ask("/mcp", message("notifications/initialized", {}), sessionHeaders);
    return sessionHeaders;
  };
  const status = message("tools/call", { name: "status", arguments: {} }, 2);
  const ask = connect();
  const session = await beginSession(ask);
  expect(await ask("/mcp", status, session)).toMatchObject({ status: 200 });
  // Some clients only initialize a session; others also use it.
  const idle = connect();
  for (let count = 0; count < 500; count++) await beginSession(idle);
  const busy = connect();
  for (let count = 0; count < 500; count++) await busy("/mcp", status, await beginSession(busy));

  expect(await ask("/mcp", status, session)).toMatchObject({ status: 200 });
});
