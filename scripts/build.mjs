/**
 * Builds `dist/`: the program as one bundle, the child processes (file conversion, models, shelf
 * hosts, SQL, code parsing), one small entry file per command name, and the web app. Libraries are
 * bundled because loading a hundred small files takes longer than loading one large one. Libraries
 * with native binaries stay external.
 */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { decode, encode } from "@jridgewell/sourcemap-codec";
import { build } from "esbuild";
import { build as buildPage } from "vite";
import { buildConverters } from "./converters.mjs";
import { buildModels } from "./model/build.mjs";
import { billOfMaterials } from "./sbom.mjs";
import { writeScanCode } from "./vectors/compile.mjs";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(home, "dist");
const { version, dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

/** A copyright line of a licence. */
const isCopyright = /^\s*(copyright\b|\(c\)|©)/i;

/** A non-ASCII character, or a backslash with the character that it escapes. */
const nonAscii = /\\[\s\S]|[^\0-\x7f]/g;

/** A founding document starts its server with `node dist/index.js`, over stdio. */
const entries = {
  lectern: '"lectern"',
  qmd: '"qmd"',
  qmdc: '"qmdc"',
  index: '"documcp", ["mcp", ...process.argv.slice(2)]',
};

/** As `versionOfProgram` returns them. */
const versions = { lectern: version, qmd: "1.0.0", qmdc: version };

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

await writeScanCode();
const result = await build({
  absWorkingDir: home,
  entryPoints: ["src/main.ts"],
  outfile: join(out, "main.js"),
  bundle: true,
  minify: true,
  // The licences are in THIRD-PARTY.txt.
  legalComments: "none",
  metafile: true,
  sourcemap: "external",
  sourcesContent: false,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  external: Object.keys(dependencies),
  define: { LECTERN_VERSION: JSON.stringify(version), "import.meta.url": "mainUrl" },
  banner: { js: 'const mainUrl = require("node:url").pathToFileURL(__filename).href;' },
  logLevel: "warning",
});

const bundle = join(out, "main.js");
const code = readFileSync(bundle, "utf8");
writeFileSync(bundle, inAscii(code));
const map = JSON.parse(readFileSync(`${bundle}.map`, "utf8"));
const lineMap = { ...map, names: [], mappings: lineMappings(map, code) };
writeFileSync(`${bundle}.map`, JSON.stringify(lineMap));

await build({
  absWorkingDir: home,
  entryPoints: {
    host: "src/kernel/host/child.ts",
    sql: "src/kernel/sql/child.ts",
    symbols: "src/shelves/repository/symbols/parser-process.ts",
  },
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  minify: true,
  // The licences are in THIRD-PARTY.txt.
  legalComments: "none",
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: Object.keys(dependencies),
  logLevel: "warning",
});
await build({
  absWorkingDir: home,
  entryPoints: ["src/commands/forwarding/command-client.ts"],
  outdir: out,
  bundle: true,
  minify: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
});
const converterInputs = await buildConverters(join(out, "convert"));
const modelInputs = await buildModels(join(out, "models"));
const page = await buildPage({ configFile: join(home, "web", "vite.config.ts"), logLevel: "warn" });

const fingerprint = createHash("sha256").update(readFileSync(bundle)).digest("hex");
const start = readFileSync(join(home, "scripts", "start.cjs"), "utf8");
writeFileSync(
  join(out, "start.js"),
  start
    .replace("FINGERPRINT", fingerprint.slice(0, 16))
    .replace('"VERSIONS"', JSON.stringify(versions)),
);
writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');
for (const [file, args] of Object.entries(entries)) {
  const path = join(out, `${file}.js`);
  writeFileSync(path, `#!/usr/bin/env node\nrequire("./start.js")(${args});\n`);
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
 * Escapes non-ASCII characters. A single one makes V8 store the whole source with two bytes per
 * character, which adds milliseconds to each start. esbuild leaves such characters only in regular
 * expressions, where an escape is equivalent, also after a backslash.
 */
function inAscii(code) {
  return code.replace(nonAscii, (match) => escaped(match));
}

function escaped(match) {
  const unit = match.charCodeAt(match.length - 1);
  return unit < 128 ? match : `\\u${unit.toString(16).padStart(4, "0")}`;
}

/**
 * Reduces the source map to the original lines of our own code: stack traces need no columns, which
 * triple its size, and rarely the lines of libraries. Columns after an escape inserted by `inAscii`
 * are shifted.
 */
function lineMappings({ mappings, sources }, code) {
  const lines = code.split("\n");
  const isOwn = sources.map((path) => !path.includes("node_modules/"));
  let before;
  const shifted = decode(mappings).map((segments, index) => {
    const escapes = [...lines[index].matchAll(nonAscii)].flatMap((match) => {
      const added = escaped(match[0]).length - match[0].length;
      return added === 0 ? [] : [{ column: match.index, added }];
    });
    let [next, shift] = [0, 0];
    return segments.flatMap(([column, source, line]) => {
      while (next < escapes.length && escapes[next].column < column) shift += escapes[next++].added;
      const place = isOwn[source] ? `${source}:${line}` : "library";
      if (place === before) return [];
      before = place;
      return [isOwn[source] ? [column + shift, source, line, 0] : [column + shift]];
    });
  });
  return encode(shifted);
}

/** The folders of the packages whose code is in the bundle. */
function packageFolders(inputs) {
  const inside = /^(?:.*?\/)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;
  const folders = inputs.flatMap((path) => inside.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * The licences of all packages. Many share a text and differ only in the copyright line, so each text
 * appears once, after its packages and their copyright lines.
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
