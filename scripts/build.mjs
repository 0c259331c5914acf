/**
 * Makes `dist/`: the whole program as one file, whose rarely used parts are run when they are first
 * needed, a small entry per command name, and the web app. Libraries are bundled because a hundred
 * small files cost more at start than their code; the two that carry binaries stay outside.
 */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { build as buildPage } from "vite";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(home, "dist");
const { version, dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

/** `index.js` is how a founding document starts its server: `node dist/index.js`, over stdio. */
const entries = {
  lectern: '"lectern"',
  qmd: '"qmd"',
  qmdc: '"qmdc"',
  index: '"lectern", ["mcp", ...process.argv.slice(2)]',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const result = await build({
  absWorkingDir: home,
  entryPoints: ["src/main.ts"],
  outfile: join(out, "main.js"),
  bundle: true,
  minify: true,
  metafile: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  external: Object.keys(dependencies),
  define: { LECTERN_VERSION: JSON.stringify(version), "import.meta.url": "mainUrl" },
  banner: { js: 'const mainUrl = require("node:url").pathToFileURL(__filename).href;' },
  logLevel: "warning",
});

const page = await buildPage({ configFile: join(home, "web", "vite.config.ts"), logLevel: "warn" });

const fingerprint = createHash("sha256")
  .update(readFileSync(join(out, "main.js")))
  .digest("hex");
const start = readFileSync(join(home, "scripts", "start.cjs"), "utf8");
writeFileSync(join(out, "start.js"), start.replace("FINGERPRINT", fingerprint.slice(0, 16)));
writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');
for (const [file, words] of Object.entries(entries)) {
  const path = join(out, `${file}.js`);
  writeFileSync(path, `#!/usr/bin/env node\nrequire("./start.js")(${words});\n`);
  chmodSync(path, 0o755);
}
const pageInputs = page.output.flatMap((part) => ("moduleIds" in part ? part.moduleIds : []));
writeFileSync(
  join(out, "THIRD-PARTY.txt"),
  notices([
    ...Object.keys(result.metafile.inputs),
    ...pageInputs.map((path) => relative(home, path)),
  ]),
);

/** The licence of every package whose code is inside the bundle. */
function notices(inputs) {
  const folders = new Set(
    inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const about = JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8"));
    const names = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "LICENCE"];
    const file = names.map((name) => join(home, folder, name)).find((path) => existsSync(path));
    const text = file ? readFileSync(file, "utf8").trim() : "";
    return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
  });
  const opening = "Lectern contains code of these packages, under their own licences.\n";
  return [opening, ...texts].join(`\n${"-".repeat(72)}\n\n`);
}
