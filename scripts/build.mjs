/**
 * Makes `dist/`: the whole program as one file, whose rarely used parts are run when they are first
 * needed, a folder each for the processes that convert files and that run models, a file each for
 * those that host a shelf, that run SQL and that parse code, a small entry per command name, and the web app. Libraries
 * are bundled because a hundred small files cost more at start than their code; those that carry
 * binaries stay outside.
 */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { build as buildPage } from "vite";
import { buildConverters } from "./converters.mjs";
import { buildModels } from "./model/build.mjs";
import { billOfMaterials } from "./sbom.mjs";
import { writeScanCode } from "./vectors/compile.mjs";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(home, "dist");
const { version, dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

/** A line of a licence that says whose work it is. */
const isCopyright = /^\s*(copyright\b|\(c\)|©)/i;

/** `index.js` is how a founding document starts its server: `node dist/index.js`, over stdio. */
const entries = {
  lectern: '"lectern"',
  qmd: '"qmd"',
  qmdc: '"qmdc"',
  index: '"documcp", ["mcp", ...process.argv.slice(2)]',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

await writeScanCode();
const result = await build({
  absWorkingDir: home,
  entryPoints: ["src/main.ts"],
  outfile: join(out, "main.js"),
  bundle: true,
  minify: true,
  // They are in THIRD-PARTY.txt.
  legalComments: "none",
  metafile: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  external: Object.keys(dependencies),
  define: { LECTERN_VERSION: JSON.stringify(version), "import.meta.url": "mainUrl" },
  banner: { js: 'const mainUrl = require("node:url").pathToFileURL(__filename).href;' },
  logLevel: "warning",
});

const bundle = join(out, "main.js");
writeFileSync(bundle, inAscii(readFileSync(bundle, "utf8")));

await build({
  absWorkingDir: home,
  entryPoints: {
    host: "src/kernel/host/child.ts",
    sql: "src/kernel/sql/child.ts",
    symbols: "src/shelves/repository/symbols/child.ts",
  },
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  minify: true,
  // They are in THIRD-PARTY.txt.
  legalComments: "none",
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: Object.keys(dependencies),
  logLevel: "warning",
});
const converterInputs = await buildConverters(join(out, "convert"));
const modelInputs = await buildModels(join(out, "models"));
const page = await buildPage({ configFile: join(home, "web", "vite.config.ts"), logLevel: "warn" });

const fingerprint = createHash("sha256").update(readFileSync(bundle)).digest("hex");
const start = readFileSync(join(home, "scripts", "start.cjs"), "utf8");
writeFileSync(join(out, "start.js"), start.replace("FINGERPRINT", fingerprint.slice(0, 16)));
writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');
for (const [file, words] of Object.entries(entries)) {
  const path = join(out, `${file}.js`);
  writeFileSync(path, `#!/usr/bin/env node\nrequire("./start.js")(${words});\n`);
  chmodSync(path, 0o755);
}
writeFileSync(join(out, "host-worker.js"), 'require("./start.js").host();\n');
const pageInputs = page.output.flatMap((part) => ("moduleIds" in part ? part.moduleIds : []));
const folders = packageFolders([
  ...Object.keys(result.metafile.inputs),
  ...converterInputs,
  ...modelInputs,
  ...pageInputs.map((path) => relative(home, path)),
]);
writeFileSync(join(out, "THIRD-PARTY.txt"), notices(folders));
writeFileSync(join(out, "sbom.cdx.json"), JSON.stringify(billOfMaterials(home, folders)));

/**
 * One character beyond ASCII makes V8 keep the whole text at two bytes a character, which costs each
 * start milliseconds. Those that esbuild leaves stand in patterns, where an escape means the same,
 * as it does for one that stands behind a backslash.
 */
function inAscii(code) {
  return code.replace(/\\[\s\S]|[^\0-\x7f]/g, (found) => {
    const unit = found.charCodeAt(found.length - 1);
    return unit < 128 ? found : `\\u${unit.toString(16).padStart(4, "0")}`;
  });
}

/** Where the packages lie whose code is inside the bundle. */
function packageFolders(inputs) {
  const inside = /^(?:.*?\/)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;
  const folders = inputs.flatMap((path) => inside.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * The licence of each. Many packages share one text and differ in whose copyright it is, so a text is
 * given once, below the packages and the copyright lines that it holds for.
 */
function notices(folders) {
  const packagesByText = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      readFileSync(join(home, folder, "package.json"), "utf8"),
    );
    const file = readdirSync(join(home, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const lines = file
      ? readFileSync(join(home, folder, file), "utf8")
          .trim()
          .split(/\r?\n/)
      : [];
    const copyrights = lines.filter((line) => isCopyright.test(line));
    const words = lines
      .filter((line) => !isCopyright.test(line))
      .join(" ")
      .split(/\s+/);
    const text = words.join(" ");
    const known = packagesByText.get(text) ?? { owners: [], lines };
    known.owners.push([`${name} ${version} (${license})`, ...copyrights].join("\n  "));
    packagesByText.set(text, known);
  }
  const texts = [...packagesByText.values()].map(({ owners, lines }) => {
    const text = lines.filter((line) => !isCopyright.test(line)).join("\n");
    return `${owners.join("\n")}\n\n${text.trim()}\n`;
  });
  const opening = "Lectern contains code of these packages, under their own licences.\n";
  return [opening, ...texts].join(`\n${"-".repeat(72)}\n\n`);
}
