import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "../../src/kernel/home/settings.ts";
import { openApp } from "../../src/kernel/runtime/app.ts";
import { createLog } from "../../src/kernel/runtime/log.ts";
import { createHttpApp } from "../../src/surfaces/http/http-app.ts";
import { serveHttp } from "../../src/surfaces/http/server/http-server.ts";
import { createEndpoint } from "../../src/surfaces/mcp/http/endpoint.ts";
import { damages } from "./damage.ts";
import { probeShelf } from "./probe-shelf.ts";

/**
 * The server that the conformance suite tests: our unmodified kernel and HTTP surface,
 * with a shelf that has what the suite requires by name. It listens on `$PORT`. With
 * `$DAMAGE` a guarantee is removed, so that a test can verify that the suite detects it.
 */
const home = mkdtempSync(join(tmpdir(), "lectern-conformance-"));
const settings = readSettings({}, { ...process.env, LECTERN_HOME: home }, home);
const openedApp = openApp({
  shelves: [probeShelf],
  settings,
  identity: { name: "lectern-fixture", title: "Lectern, for conformance", version: "0.0.0" },
  log: createLog({
    level: "warn",
    debug: process.env.DEBUG,
    write: (line) => process.stderr.write(line),
  }),
});
const endpoint = createEndpoint(openedApp);
const app = createHttpApp({ app: openedApp, mcp: endpoint.fetch });
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
    await openedApp.close();
    rmSync(home, { recursive: true, force: true });
  });
}
