import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLibrary } from "../../src/kernel/library.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { readSettings } from "../../src/kernel/settings.ts";
import { makeApp } from "../../src/surfaces/http/app.ts";
import { serveHttp } from "../../src/surfaces/http/server.ts";
import { makeEndpoint } from "../../src/surfaces/mcp/endpoint.ts";
import { damages } from "./damage.ts";
import { probeShelf } from "./probe-shelf.ts";

/**
 * The server that the conformance suite is run against: our kernel and our HTTP surface as they
 * are, with a shelf that has what the suite asks for by name. It listens on `$PORT`. With
 * `$DAMAGE` something is taken away from it, so that a test can see the suite notice.
 */
const home = mkdtempSync(join(tmpdir(), "lectern-conformance-"));
const settings = readSettings({}, { ...process.env, LECTERN_HOME: home }, home);
const library = openLibrary({
  shelves: [probeShelf],
  settings,
  identity: { name: "lectern-fixture", title: "Lectern, for conformance", version: "0.0.0" },
  log: makeLog({
    level: "warn",
    debug: process.env.DEBUG,
    write: (line) => process.stderr.write(line),
  }),
});
const endpoint = makeEndpoint(library);
const app = makeApp({ library, mcp: endpoint.fetch });
const damage = damages[process.env.DAMAGE ?? "none"];
if (!damage) throw new Error(`DAMAGE is one of ${Object.keys(damages).join(", ")}.`);
const server = await serveHttp({
  app: { fetch: damage(app.fetch) },
  ports: [Number(process.env.PORT ?? 0)],
});
process.stdout.write(`${server.addresses[0]}/mcp\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await endpoint.close();
    await server.close();
    await library.close();
    rmSync(home, { recursive: true, force: true });
  });
}
