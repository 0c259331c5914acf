import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createConnection, type Socket } from "node:net";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { freshHome, lectern, startServer } from "../../journeys/program.ts";
import { startProcess, until } from "../../programs/process.ts";
import { call, lineQueue, request } from "../../programs/wire.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { memoryLosses } from "../process-memory.ts";
import { fuzzedFrames } from "./fuzzed-frames.ts";

const maxBytes = 600 * 2 ** 20;
/** The number of invalid frames between two valid ones. */
const batchSize = 20;
const timeoutMs = 60_000;

/** Sends invalid frames with valid ones between them: each valid one must be answered. */
export const frames: Campaign = {
  name: "frames",
  unit: "frames",
  counts: { ci: 20_000, default: 60_000, long: 1_000_000 },
  roundOf: 2_000,
  round: (round) => transports[round.seed % transports.length]?.(round) ?? runStdio(round),
};

const transports = [runHttp, runStdio, runBridge];

/** A line-based transport. */
interface LineTransport {
  pid: number;
  write(bytes: Buffer | string): Promise<void>;
  answerTo(id: string): Promise<{ result?: unknown; error?: unknown }>;
  lines: unknown[];
}

async function runLines(
  transport: LineTransport,
  kind: string,
  { seed, count }: Round,
): Promise<RoundReport> {
  const next = fuzzedFrames(randomNumbers(seed));
  const losses: string[] = [];
  for (let sent = 0; sent < count; sent += batchSize) {
    const batch = Math.min(batchSize, count - sent);
    const invalid = Array.from({ length: batch }, () => Buffer.concat([next(), Buffer.from("\n")]));
    const id = `valid ${sent}`;
    const valid = sent % 400 === 0 ? call(id, "status") : request(id, "ping");
    // An extra newline ends a string or message that was left open.
    await transport.write(Buffer.concat([...invalid, Buffer.from(`\n${valid}`)]));
    const answer = await withTimeout(transport.answerTo(id));
    if (answer === undefined) return { done: { [kind]: sent }, losses: [`${id} was not answered`] };
    if (answer.result === undefined) losses.push(`${id} was answered ${JSON.stringify(answer)}`);
    transport.lines.length = 0;
  }
  losses.push(...memoryLosses(transport.pid, maxBytes));
  return { done: { [kind]: count }, losses };
}

async function runStdio(round: Round): Promise<RoundReport> {
  const home = freshHome();
  const server = startProcess([...lectern, "mcp"], { LECTERN_HOME: home });
  const { child, answerTo, lines } = server;
  try {
    return await runLines(
      { pid: Number(child.pid), answerTo, lines, write: (bytes) => writeFully(child.stdin, bytes) },
      "over stdio",
      round,
    );
  } finally {
    child.kill("SIGKILL");
    await server.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

async function runBridge(round: Round): Promise<RoundReport> {
  const home = freshHome();
  const bridge = startProcess([...lectern, "bridge", "--port", "0"], { LECTERN_HOME: home });
  const port = () => /listens on 127\.0\.0\.1:(\d+)/.exec(bridge.output.stderr)?.[1];
  try {
    await until(() => port() !== undefined, "the bridge listens");
    const socket = createConnection({ port: Number(port()), host: "127.0.0.1" });
    socket.on("error", () => {});
    await once(socket, "connect");
    const { answerTo, lines } = lineQueue(socket);
    // The first bytes must look like a message, or the connection is refused as a browser's.
    await writeFully(socket, request("first", "ping"));
    await answerTo("first");
    const pid = Number(bridge.child.pid);
    return await runLines(
      { pid, answerTo, lines, write: (bytes) => writeFully(socket, bytes) },
      "over the bridge",
      round,
    );
  } finally {
    bridge.child.kill("SIGTERM");
    await bridge.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** Half of the frames are sent as bodies of valid requests, half as raw invalid requests. */
async function runHttp({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const next = fuzzedFrames(random);
  const home = freshHome();
  const { url, child, stop } = await startServer(home);
  const port = Number(new URL(url).port);
  const losses: string[] = [];
  try {
    for (let sent = 0; sent < count; sent += batchSize) {
      const batch = Math.min(batchSize, count - sent);
      await Promise.all(
        Array.from({ length: batch }, async (_, index) => {
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
      const health = await withTimeout(fetch(`${url}/status`));
      if (health?.status !== 200) losses.push(`after ${sent} frames /status: ${health?.status}`);
      await health?.arrayBuffer();
    }
    losses.push(...memoryLosses(Number(child.pid), maxBytes));
  } finally {
    await stop();
    rmSync(home, { recursive: true, force: true });
  }
  return { done: { "over HTTP": count }, losses };
}

function damagedRequest(frame: Buffer, random: () => number): Buffer {
  const invalidHeads = [
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ",
    "GET /\u0000 HTTP/1.1\r\nHost: localhost\r\n",
    "GET /search?query=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "BREW /status HTTP/9.9\r\n\r\n",
    "GET http://elsewhere/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "",
  ];
  const head = invalidHeads[Math.floor(random() * invalidHeads.length)] ?? "";
  const length = head.endsWith("Content-Length: ") ? `${frame.length}\r\n\r\n` : "";
  return Buffer.concat([Buffer.from(head + length), frame]);
}

/** Sends raw bytes and disconnects after the response or 200 ms. */
function rawRequest(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setTimeout(200, () => socket.destroy());
    socket.on("data", () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}

function writeFully(stream: NodeJS.WritableStream, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve) => stream.write(bytes, () => resolve()));
}

async function withTimeout<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
