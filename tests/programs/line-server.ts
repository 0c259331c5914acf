import { claimStdout, serveOnStdio } from "../../src/surfaces/mcp/stdio.ts";
import { smallServer } from "./small-server.ts";

/** A program that serves the small server on stdio; limits come as arguments, zero for the usual. */
const [limit, drainMs] = process.argv.slice(2).map((word) => Number(word) || undefined);
const output = claimStdout();
process.stderr.write(`pid ${process.pid}\n`);
await serveOnStdio({ factory: smallServer, output, limit, drainMs });
// A server without a client is a zombie: a call that still runs gets a moment to end, as in `main`.
setTimeout(() => process.exit(), 1_500).unref();
