/**
 * Makes `dist/`: one small entry per command name, and shared chunks that load when they are first
 * needed. Libraries are bundled because a hundred small files cost more at start than their code;
 * the two that carry binaries stay outside.
 */
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
  lectern: 'await run("lectern");',
  qmd: 'await run("qmd");',
  qmdc: 'await run("qmdc");',
  index: 'await run("lectern", ["mcp", ...process.argv.slice(2)]);',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const result = await build({
  absWorkingDir: home,
  entryPoints: { main: "src/main.ts" },
  outdir: out,
  bundle: true,
  splitting: true,
  minify: true,
  metafile: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: Object.keys(dependencies),
  define: { LECTERN_VERSION: JSON.stringify(version) },
  banner: {
    js: 'import { createRequire as lecternRequire } from "node:module"; const require = lecternRequire(import.meta.url);',
  },
  chunkNames: "parts/[name]-[hash]",
  logLevel: "warning",
});

const page = await buildPage({ configFile: join(home, "web", "vite.config.ts"), logLevel: "warn" });

/** Newer versions of Node keep compiled code between starts, when they are asked to. */
const starting = `import module from "node:module";
module.enableCompileCache?.();
const { run } = await import("./main.js");`;

for (const [file, start] of Object.entries(entries)) {
  const path = join(out, `${file}.js`);
  writeFileSync(path, `#!/usr/bin/env node\n${starting}\n${start}\n`);
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
