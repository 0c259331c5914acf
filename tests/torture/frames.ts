import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createConnection, type Socket } from "node:net";
import { randomNumbers } from "../fixtures/random-numbers.ts";
import { freshHome, lectern, startServer } from "../journeys/program.ts";
import { startProcess, until } from "../programs/process.ts";
import { call, lineQueue, request } from "../programs/wire.ts";
import type { Campaign, Round, RoundReport } from "./campaign.ts";
import { fuzzedFrames } from "./fuzzed-frames.ts";
import { overgrown } from "./memory.ts";

const mostBytes = 600 * 2 ** 20;
/** How many bad frames stand between two good ones. */
const between = 20;
const patienceMs = 60_000;

/** Sends frames that are none, with good ones between them: each of those is answered. */
export const frames: Campaign = {
  name: "frames",
  unit: "frames",
  counts: { ci: 20_000, usual: 60_000, long: 1_000_000 },
  roundOf: 2_000,
  round: (round) => ways[round.seed % ways.length]?.(round) ?? overStdio(round),
};

const ways = [overHttp, overStdio, overBridge];

/** The ways in by which lines are read. */
interface LineWay {
  pid: number;
  write(bytes: Buffer | string): Promise<void>;
  answerTo(id: string): Promise<{ result?: unknown; error?: unknown }>;
  lines: unknown[];
}

async function overLines(way: LineWay, kind: string, { seed, count }: Round): Promise<RoundReport> {
  const next = fuzzedFrames(randomNumbers(seed));
  const losses: string[] = [];
  for (let sent = 0; sent < count; sent += between) {
    const many = Math.min(between, count - sent);
    const bad = Array.from({ length: many }, () => Buffer.concat([next(), Buffer.from("\n")]));
    const id = `good ${sent}`;
    const good = sent % 400 === 0 ? call(id, "status") : request(id, "ping");
    // A line break of its own ends a string or a message that was left open before.
    await way.write(Buffer.concat([...bad, Buffer.from(`\n${good}`)]));
    const answer = await within(way.answerTo(id));
    if (answer === undefined) return { done: { [kind]: sent }, losses: [`${id} was not answered`] };
    if (answer.result === undefined) losses.push(`${id} was answered ${JSON.stringify(answer)}`);
    way.lines.length = 0;
  }
  losses.push(...overgrown(way.pid, mostBytes));
  return { done: { [kind]: count }, losses };
}

async function overStdio(round: Round): Promise<RoundReport> {
  const home = freshHome();
  const server = startProcess([...lectern, "mcp"], { LECTERN_HOME: home });
  const { child, answerTo, lines } = server;
  try {
    return await overLines(
      { pid: Number(child.pid), answerTo, lines, write: (bytes) => written(child.stdin, bytes) },
      "over stdio",
      round,
    );
  } finally {
    child.kill("SIGKILL");
    await server.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

async function overBridge(round: Round): Promise<RoundReport> {
  const home = freshHome();
  const bridge = startProcess([...lectern, "bridge", "--port", "0"], { LECTERN_HOME: home });
  const port = () => /listens on 127\.0\.0\.1:(\d+)/.exec(bridge.said.stderr)?.[1];
  try {
    await until(() => port() !== undefined, "the bridge listens");
    const socket = createConnection({ port: Number(port()), host: "127.0.0.1" });
    socket.on("error", () => {});
    await once(socket, "connect");
    const { answerTo, lines } = lineQueue(socket);
    // The first bytes must look like messages, or the connection is refused as a browser's.
    await written(socket, request("first", "ping"));
    await answerTo("first");
    const pid = Number(bridge.child.pid);
    return await overLines(
      { pid, answerTo, lines, write: (bytes) => written(socket, bytes) },
      "over the bridge",
      round,
    );
  } finally {
    bridge.child.kill("SIGTERM");
    await bridge.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** Half of them are bodies of requests that are sound, half are requests that are none. */
async function overHttp({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const next = fuzzedFrames(random);
  const home = freshHome();
  const { url, child, stop } = await startServer(home);
  const port = Number(new URL(url).port);
  const losses: string[] = [];
  try {
    for (let sent = 0; sent < count; sent += between) {
      const many = Math.min(between, count - sent);
      await Promise.all(
        Array.from({ length: many }, async (_, index) => {
          const frame = next();
          if (index % 2 === 0) return rawRequest(port, damagedRequest(frame, random));
          const path = random() < 0.5 ? "/mcp" : "/tools/search";
          const body = new Uint8Array(frame);
          const headers = {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          };
          const answer = await fetch(url + path, { method: "POST", headers, body });
          await answer.arrayBuffer();
          if (answer.status >= 500) losses.push(`${path} was answered ${answer.status}: ${frame}`);
        }),
      );
      const health = await within(fetch(`${url}/status`));
      if (health?.status !== 200) losses.push(`after ${sent} frames /status: ${health?.status}`);
      await health?.arrayBuffer();
    }
    losses.push(...overgrown(Number(child.pid), mostBytes));
  } finally {
    await stop();
    rmSync(home, { recursive: true, force: true });
  }
  return { done: { "over HTTP": count }, losses };
}

function damagedRequest(frame: Buffer, random: () => number): Buffer {
  const heads = [
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ",
    "GET /\u0000 HTTP/1.1\r\nHost: localhost\r\n",
    "GET /search?query=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "BREW /status HTTP/9.9\r\n\r\n",
    "GET http://elsewhere/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "",
  ];
  const head = heads[Math.floor(random() * heads.length)] ?? "";
  const length = head.endsWith("Content-Length: ") ? `${frame.length}\r\n\r\n` : "";
  return Buffer.concat([Buffer.from(head + length), frame]);
}

/** Says it and hangs up when something is answered, or after a moment. */
function rawRequest(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setTimeout(200, () => socket.destroy());
    socket.on("data", () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}

function written(stream: NodeJS.WritableStream, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve) => stream.write(bytes, () => resolve()));
}

async function within<Result>(work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
