import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { otherUser } from "../../fixtures/other-user.ts";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { freshHome, lectern, type Served, startServer } from "../../journeys/program.ts";
import { startProcess, until } from "../../programs/process.ts";
import { call } from "../../programs/wire.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type Attempt, attemptProgram, type Result } from "./other-user-attempts.ts";

/** Another user of the machine tries everything that our user may do without a credential. */
export const otherUserCampaign: Campaign = {
  name: "other-user",
  unit: "calls by another user",
  counts: { ci: 120, default: 1_200, long: 12_000 },
  roundOf: 120,
  skipReason: () => otherUser.skipReason,
  async round(round) {
    const home = freshHome();
    // World-readable, so that only the file modes protect the contents.
    chmodSync(home, 0o755);
    const victim = join(home, "victim");
    mkdirSync(victim);
    writeFileSync(join(victim, "private.md"), "# Private\n\nA zeppelin.\n", { mode: 0o600 });
    const servers = [await startServer(home), await startServer(home, ["--host", "::1"])];
    const bridge = startProcess([...lectern, "bridge", "--port", "0", "--log-level", "debug"], {
      LECTERN_HOME: home,
    });
    const port = () => Number(/listens on 127\.0\.0\.1:(\d+)/.exec(bridge.output.stderr)?.[1] ?? 0);
    try {
      await until(() => port() > 0, "the bridge listens");
      const report = await attack(round, { home, victim, servers, bridgePort: port() });
      if (/\bpid=\d+/.test(bridge.output.stderr))
        report.losses.push("the bridge started a process");
      return report;
    } finally {
      bridge.child.kill("SIGTERM");
      await bridge.ended;
      for (const { stop } of servers) await stop();
      rmSync(home, { recursive: true, force: true });
    }
  },
};

interface Target {
  home: string;
  victim: string;
  servers: readonly Served[];
  bridgePort: number;
}

async function attack({ seed, count }: Round, target: Target): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const requests = requestsFor(target);
  const attempts = Array.from({ length: count }, (_, index): Attempt => {
    // Each transport is tried with each request in turn; the rest is random.
    const transport = transports[index % transports.length] ?? "plain";
    const request = requests[Math.floor(random() * requests.length)] ?? "";
    const { hostname, port } = new URL(target.servers[index % 2]?.url ?? "");
    const host = hostname.replace(/[[\]]/g, "");
    const mapped = index % 4 === 2 && host === "127.0.0.1" ? `::ffff:${host}` : host;
    return { transport, request, host: mapped, port: Number(port) };
  });
  const results = await runAsOther({
    attempts,
    sockets: ["lectern.sock", "commands.sock"].map((name) => join(target.home, name)),
    files: ["secret", "lectern.sqlite", "victim/private.md"].map((name) => join(target.home, name)),
    bridgePort: target.bridgePort,
    message: call(1, "status"),
  });
  const losses = results.flatMap(({ transport, name, received }) => {
    if (transport === "Unix socket" && received !== " EACCES")
      return [`${name} was not closed: ${received}`];
    const answers = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    const isServed = answers.some((status) => !["401", "403", "429"].includes(status ?? ""));
    return isServed || /"result"|set-cookie|lectern-page-key|FILE READ/i.test(received)
      ? [`${name} was served: ${received.slice(0, 200)}`]
      : [];
  });
  const reused = await reusedPorts(target);
  const [{ url = "" } = {}] = target.servers;
  const status = await (await fetch(`${url}/status`)).json();
  const { collections } = status as { collections: unknown[] };
  if (collections.length > 0) losses.push("another user has added a collection");
  const done: Record<string, number> = { "port taken over": reused };
  for (const { transport } of results) done[transport] = (done[transport] ?? 0) + 1;
  return { losses, done };
}

/** How a request is sent; implemented in `attemptProgram`. */
const transports = [
  "plain",
  "kept alive",
  "pipelined",
  "closed immediately",
  "reset immediately",
  "half-closed",
] as const;

/** Raw requests for all routes. */
function requestsFor({ victim }: Target): string[] {
  const raw = (method: string, path: string, body?: object, headers: string[] = []): string => {
    const content = body === undefined ? "" : JSON.stringify(body);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      "Host: localhost",
      ...headers,
      ...(body ? ["Content-Type: application/json", `Content-Length: ${content.length}`] : []),
    ];
    return `${lines.join("\r\n")}\r\n\r\n${content}`;
  };
  const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
  const streams = ["Accept: application/json, text/event-stream"];
  const borrowed = [
    "Origin: http://localhost",
    "Cookie: lectern-page-80=x",
    "X-Lectern-Page-Key: x",
  ];
  return [
    raw("GET", "/"),
    raw("GET", "/", undefined, ["Accept: text/html"]),
    raw("GET", "/index.html"),
    raw("GET", "/login?code=a.b.c"),
    raw("GET", "/status"),
    raw("GET", "/system"),
    raw("GET", "/events"),
    raw("GET", "/openapi.json"),
    raw("GET", "/activity"),
    raw("GET", "/look.js"),
    raw("GET", "/tools"),
    raw("GET", "/nowhere"),
    raw("HEAD", "/status"),
    raw("OPTIONS", "/status"),
    raw("POST", "/tools/status", { arguments: {} }),
    raw("POST", "/update", {}),
    raw("POST", "/collections/add", { path: victim, name: "stolen" }),
    raw("POST", "/get", { file: join(victim, "private.md") }),
    raw("POST", "/search", { query: "zeppelin" }),
    raw("POST", "/page/status", { arguments: {} }, borrowed),
    raw("POST", "/page/add_collection", { arguments: { path: victim } }, borrowed),
    raw("POST", "/mcp", rpc("initialize", {}), streams),
    raw("POST", "/mcp", rpc("tools/list", {})),
    raw("POST", "/mcp", rpc("tools/call", { name: "status", arguments: {} }), [
      "Mcp-Session-Id: x",
    ]),
    raw("GET", "/mcp", undefined, streams),
    raw("DELETE", "/mcp", undefined, ["Mcp-Session-Id: x"]),
    raw("GET", "/status", undefined, ["Authorization: Bearer guess"]),
    raw("GET", "/status", undefined, ["X-Forwarded-For: 127.0.0.1", "X-Real-IP: 127.0.0.1"]),
  ];
}

async function runAsOther(input: object): Promise<Result[]> {
  const { uid } = otherUser;
  const child = spawn(process.execPath, ["-e", attemptProgram], {
    uid,
    gid: uid,
    cwd: "/",
    env: {},
  });
  child.stdin.end(JSON.stringify(input));
  const [stdout, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (stdout === "") throw new Error(`The attempts were not made: ${problems}`);
  return JSON.parse(stdout) as Result[];
}

const takeovers = 5;

/**
 * Another user sends a request and resets the connection; our own user connects from the same
 * port immediately. The request must not be attributed to us. Returns how often the port was free.
 */
async function reusedPorts({ victim, servers }: Target): Promise<number> {
  const port = Number(new URL(servers[0]?.url ?? "").port);
  let reused = 0;
  for (let count = 0; count < takeovers; count++) {
    const body = JSON.stringify({ path: victim, name: `reused-${count}` });
    const request = `POST /collections/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const program = `const socket = require("node:net").connect(${port}, "127.0.0.1", () => {
      process.stdout.write(String(socket.localPort));
      socket.write(${JSON.stringify(request)}, () => { socket.resetAndDestroy(); });
    });`;
    const { uid } = otherUser;
    const child = spawn(process.execPath, ["-e", program], { uid, gid: uid, cwd: "/", env: {} });
    const [chunk] = await once(child.stdout, "data");
    const ownResponse = await connectFrom(Number(String(chunk)), port);
    if (ownResponse) {
      reused++;
      // Keeps the port until the server has looked up its owner.
      await new Promise((resolve) => setTimeout(resolve, 50));
      ownResponse.destroy();
    }
    if (child.exitCode === null) await once(child, "exit");
  }
  return reused;
}

/** Binds a port as soon as it is free; undefined if that takes too long. */
async function connectFrom(localPort: number, port: number): Promise<Socket | undefined> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect({ port, host: "127.0.0.1", localPort });
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    if (isOpen) return socket;
    socket.destroy();
  }
  return undefined;
}
