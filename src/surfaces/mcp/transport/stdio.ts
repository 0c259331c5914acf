import { type Readable, Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineTransport, type LineTransportOptions } from "./line-transport.ts";

export interface StdioOptions
  extends Pick<
    LineTransportOptions,
    "limit" | "drainMs" | "strictIds" | "trace" | "transformOutgoing"
  > {
  factory: McpServerFactory;
  input?: Readable;
  /** The stream from `claimStdout`. */
  output?: Writable;
  onerror?: ((error: Error) => void) | undefined;
}

/**
 * Serves one client on stdin and stdout, or on other streams. Resolves at the end of input, after
 * `shutdown`, when the client no longer reads, or at SIGINT or SIGTERM.
 */
export async function serveOnStdio(options: StdioOptions): Promise<void> {
  const { factory, input = process.stdin, output = claimStdout(), onerror, ...others } = options;
  const transport = new LineTransport({
    ...others,
    input,
    output,
    beforeClose: () => handle.close(),
  });
  const handle = serveStdio(factory, { transport, ...(onerror && { onerror }) });
  const onSignal = () => void transport.closeGracefully();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  await transport.closed;
  process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
}

/**
 * Reserves stdout for the protocol: other writes to it are redirected to stderr, and only the
 * returned stream writes to the client. Must be called before anything can print.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write: typeof stdout.write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // If the parent process has died, errors on these streams must not prevent a graceful close.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
}
