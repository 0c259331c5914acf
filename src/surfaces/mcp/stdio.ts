import { type Readable, Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineTransport, type LineTransportOptions } from "./line-transport.ts";

export interface StdioOptions
  extends Pick<LineTransportOptions, "limit" | "drainMs" | "strictIds" | "trace" | "outgoing"> {
  factory: McpServerFactory;
  input?: Readable;
  /** What `claimStdout` gave. */
  output?: Writable;
  onerror?: ((error: Error) => void) | undefined;
}

/**
 * Serves one client on the process's own streams, or on those given, and resolves when it has
 * gone: at the end of input, after `shutdown`, when nobody reads any more, or at a signal.
 */
export async function serveOnStdio(options: StdioOptions): Promise<void> {
  const { factory, input = process.stdin, output = claimStdout(), onerror, ...others } = options;
  const transport = new LineTransport({
    ...others,
    input,
    output,
    farewell: () => handle.close(),
  });
  const handle = serveStdio(factory, { transport, ...(onerror && { onerror }) });
  const leave = () => void transport.leave();
  process.once("SIGINT", leave).once("SIGTERM", leave);
  await transport.closed;
  process.off("SIGINT", leave).off("SIGTERM", leave);
}

/**
 * Takes stdout away from everybody else: what a library prints goes to stderr, and only the
 * returned stream writes to the client. To be called before anything can print.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write: typeof stdout.write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // When the parent has died both are broken; that must not end us before we end in good order.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
}
