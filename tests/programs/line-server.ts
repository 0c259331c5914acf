import { claimStdout, serveOnStdio } from "../../src/surfaces/mcp/transport/stdio.ts";
import { smallServer } from "./small-server.ts";

/** A program that serves the small server on stdio; limits are arguments, zero for the default. */
const [limit, drainMs] = process.argv.slice(2).map((arg) => Number(arg) || undefined);
const output = claimStdout();
process.stderr.write(`pid ${process.pid}\n`);
await serveOnStdio({ factory: smallServer, output, limit, drainMs });
// A server without a client must exit: a running call gets a moment to end, as in `main`.
setTimeout(() => process.exit(), 1_500).unref();
