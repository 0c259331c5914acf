/**
 * Makes what the process that converts files runs: a small file that listens, one for each format,
 * which is loaded when a file of that format comes, and the tables by which PDF names its letters.
 */
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Builds into a folder and tells which files went in. */
export async function buildConverters(folder) {
  const result = await build({
    absWorkingDir: home,
    entryPoints: { convert: "src/kernel/formats/child.ts" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    // They are in THIRD-PARTY.txt.
    legalComments: "none",
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Some of the libraries ask for Node's modules in the older way.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    // The edition for Node brings along a second parser of HTML.
    alias: { turndown: "turndown/lib/turndown.browser.es.js" },
    // Without a place of its own, the reader of PDF looks for no library to draw with.
    define: { "import.meta.url": "undefined" },
    logLevel: "warning",
  });
  const tables = join("node_modules", "pdfjs-dist", "cmaps");
  cpSync(join(home, tables), join(folder, "cmaps"), { recursive: true });
  return Object.keys(result.metafile.inputs);
}
