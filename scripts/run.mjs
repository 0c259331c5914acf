/** Runs a TypeScript file of this project: `node scripts/run.mjs scripts/bench.ts --quick`. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const [file, ...args] = process.argv.slice(2);
const outfile = join(home, "node_modules", ".cache", "lectern", `${file.replace(/\W/g, "-")}.mjs`);
mkdirSync(dirname(outfile), { recursive: true });
/** Keeps `import.meta.url` of each source file, since the bundle is in another folder. */
function keepModuleUrls(builder) {
  builder.onLoad({ filter: /[\\/](src|tests|scripts)[\\/].*\.ts$/ }, ({ path }) => ({
    loader: "ts",
    contents: readFileSync(path, "utf8").replaceAll(
      "import.meta.url",
      JSON.stringify(pathToFileURL(path).href),
    ),
  }));
}

await build({
  absWorkingDir: home,
  entryPoints: [file],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  sourcemap: "inline",
  define: { LECTERN_VERSION: '"0.0.0"' },
  logLevel: "warning",
  plugins: [{ name: "keep module URLs", setup: keepModuleUrls }],
});
process.argv = [process.argv[0], join(home, file), ...args];
await import(pathToFileURL(outfile).href);
