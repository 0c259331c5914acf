import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { freshHome, lectern, startServer } from "../../journeys/program.ts";
import { startProcess, until } from "../../programs/process.ts";
import { lineQueue, request } from "../../programs/wire.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { openFileLimit } from "../process-memory.ts";

/** File descriptors that this process needs in addition to its sockets. */
const reserved = 200;
const questions = 25;

/** Silent and slow connections; other clients must still be served. */
export const sockets: Campaign = {
  name: "sockets",
  unit: "idle sockets",
  counts: { ci: 2_500, default: 10_000, long: 10_000 },
  roundOf: 10_000,
  async round(round) {
    const capacity = (openFileLimit() ?? 1_024) - reserved;
    const count = Math.min(round.count, capacity);
    const notes =
      count < round.count
        ? [`only ${count} sockets of ${round.count}: a process may open no more here (ulimit -n)`]
        : [];
    const http = await loadServer({ ...round, count });
    const bridge = await loadBridge(round);
    return {
      done: { ...http.done, ...bridge.done },
      losses: [...http.losses, ...bridge.losses],
      notes,
    };
  },
};

async function loadServer({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = freshHome();
  const { url, stop } = await startServer(home);
  const port = Number(new URL(url).port);
  const open: Socket[] = [];
  const losses: string[] = [];
  try {
    for (let opened = 0; opened < count; opened += 250) {
      const some = Array.from({ length: Math.min(250, count - opened) }, () =>
        openSlowSocket(port, random),
      );
      open.push(...some);
      await Promise.all(some.map((socket) => closedOrOpened(socket)));
      losses.push(...(await queryStatus(url, 2, `with ${open.length} idle sockets`)));
    }
    losses.push(...(await queryStatus(url, questions, `with all ${open.length} idle sockets`)));
    for (let second = 0; second < 3; second++) {
      for (const socket of open) if (!socket.destroyed && random() < 0.2) socket.write("x");
      losses.push(...(await queryStatus(url, 5, "while others send slowly")));
      await sleep(500);
    }
  } finally {
    for (const socket of open) socket.destroy();
    await stop();
    rmSync(home, { recursive: true, force: true });
  }
  return { done: { "at the HTTP server": count }, losses };
}

/** Opens a socket that sends nothing, an incomplete header or an incomplete body. */
function openSlowSocket(port: number, random: () => number): Socket {
  const beginnings = [
    "",
    "GET /status HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{",
  ];
  const beginning = beginnings[Math.floor(random() * beginnings.length)] ?? "";
  const socket = connect(port, "127.0.0.1", () => socket.write(beginning));
  // The server may close the connection.
  socket.on("error", () => {});
  return socket;
}

const closedOrOpened = (socket: Socket): Promise<unknown> =>
  Promise.race([once(socket, "connect"), once(socket, "close")]);

/** Another client, with a separate connection for each request. */
async function queryStatus(url: string, times: number, label: string): Promise<string[]> {
  const losses: string[] = [];
  for (let count = 0; count < times; count++) {
    try {
      const answer = await fetch(`${url}/status`, {
        headers: { connection: "close" },
        signal: AbortSignal.timeout(10_000),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) losses.push(`${label} /status was answered ${answer.status}`);
    } catch (error) {
      losses.push(`${label} a request failed: ${String((error as Error).cause ?? error)}`);
    }
  }
  return losses;
}

/** Each client of the bridge has a process, but only after it has sent something. */
async function loadBridge({ count }: Round): Promise<RoundReport> {
  const silent = Math.min(count, 500);
  const home = freshHome();
  const bridge = startProcess([...lectern, "bridge", "--port", "0"], { LECTERN_HOME: home });
  const port = () => Number(/listens on 127\.0\.0\.1:(\d+)/.exec(bridge.output.stderr)?.[1] ?? 0);
  const losses: string[] = [];
  const open: Socket[] = [];
  try {
    await until(() => port() > 0, "the bridge listens");
    for (let opened = 0; opened < silent; opened++) {
      const socket = connect(port(), "127.0.0.1");
      socket.on("error", () => {});
      open.push(socket);
      await closedOrOpened(socket);
    }
    const socket = connect(port(), "127.0.0.1");
    socket.on("error", () => {});
    const { answerTo } = lineQueue(socket);
    socket.write(request("asked", "ping"));
    const answer = await Promise.race([answerTo("asked"), once(socket, "close"), sleep(20_000)]);
    const isServed = answer !== undefined && "result" in answer;
    if (!isServed) losses.push(`behind ${silent} silent clients the bridge serves no other client`);
    socket.destroy();
  } finally {
    for (const socket of open) socket.destroy();
    bridge.child.kill("SIGTERM");
    await bridge.ended;
    rmSync(home, { recursive: true, force: true });
  }
  return { done: { "at the bridge": silent }, losses };
}
