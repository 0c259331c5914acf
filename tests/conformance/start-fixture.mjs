/** Bundles the fixture, since Node 20 reads no TypeScript, and runs it until it is stopped. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
// Below node_modules, where external packages are found.
const folder = join(here, "..", "..", "node_modules", ".cache", "lectern-conformance");
const outfile = join(folder, `fixture-${process.pid}.mjs`);
mkdirSync(folder, { recursive: true });
await build({
  entryPoints: [join(here, "fixture.ts")],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20.19",
  logLevel: "warning",
});
await import(outfile);
rmSync(outfile);
