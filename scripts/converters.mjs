/**
 * Builds the program of the file conversion process: a small entry file, one lazily loaded chunk per
 * format, and the character map tables for PDF.
 */
import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Builds into a folder and returns the bundled source files. */
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
    // The licences are in THIRD-PARTY.txt.
    legalComments: "none",
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Some libraries load Node's modules with `require`.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    // The Node build includes a second HTML parser.
    alias: { turndown: "turndown/lib/turndown.browser.es.js" },
    // Without a module URL, pdf.js does not look for a drawing library.
    define: { "import.meta.url": "undefined" },
    logLevel: "warning",
  });
  const tables = join("node_modules", "pdfjs-dist", "cmaps");
  cpSync(join(home, tables), join(folder, "cmaps"), { recursive: true });
  return Object.keys(result.metafile.inputs);
}
