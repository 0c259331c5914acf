import { PassThrough } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import {
  LineTransport,
  type LineTransportOptions,
} from "../../src/surfaces/mcp/transport/line-transport.ts";
import { smallServer } from "./small-server.ts";

/** An answer or a notification, with the fields that tests read. */
export interface Line {
  jsonrpc: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** The small server on streams that the test controls. */
export function openWire(options: Partial<LineTransportOptions> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const errors: Error[] = [];
  const transport = new LineTransport({
    input,
    output,
    beforeClose: () => server.close(),
    ...options,
  });
  const server = serveStdio(smallServer, { transport, onerror: (error) => errors.push(error) });
  return { input, output, errors, transport, ...lineQueue(output) };
}

/** All answers to a text after which the stream ends. */
export async function answersTo(
  text: string,
  options: Partial<LineTransportOptions> = {},
): Promise<Line[]> {
  const wire = openWire(options);
  wire.input.end(text);
  await wire.transport.closed;
  return wire.lines;
}

/** Returns the lines of a stream in order, each parsed. */
export function lineQueue(stream: NodeJS.ReadableStream) {
  const lines: Line[] = [];
  const waiting: (() => void)[] = [];
  let buffer = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const parts = (buffer + text).split("\n");
    buffer = parts.pop() ?? "";
    lines.push(...parts.map((part) => JSON.parse(part)));
    for (const resolve of waiting.splice(0)) resolve();
  });
  const next = async (matches: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      const found = lines.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { lines, answerTo: (id: string | number) => next((line) => line.id === id), next };
}

export const request = (id: unknown, method: string, params?: unknown): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

export const call = (id: unknown, name: string, args: Record<string, unknown> = {}): string =>
  request(id, "tools/call", { name, arguments: args });
