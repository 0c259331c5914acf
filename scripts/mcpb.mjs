/**
 * Makes the bundle that desktop clients install with a double click: the packed program with what it
 * depends on, for the platform that this runs on. `--out FOLDER` says where it goes.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values: flags } = parseArgs({ options: { out: { type: "string", default: "." } } });
const place = mkdtempSync(join(tmpdir(), "lectern-mcpb-"));
const bundle = join(place, "bundle");
const { version } = readJson("package.json");
const { platform, arch } = process;

try {
  const packed = npm(["pack", "--ignore-scripts", "--json", "--pack-destination", place], home);
  const [{ filename }] = JSON.parse(packed);
  const quietly = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline"];
  npm(["install", ...quietly, "--prefix", place, join(place, filename)], place);

  const installed = join(place, "node_modules");
  cpSync(join(installed, "lectern"), bundle, { recursive: true });
  rmSync(join(installed, "lectern"), { recursive: true });
  rmSync(join(installed, ".bin"), { recursive: true, force: true });
  cpSync(installed, join(bundle, "node_modules"), { recursive: true });

  const manifest = readJson(join("packaging", "manifest.json"));
  manifest.version = version;
  // Some of what it depends on holds binaries, and those of this platform were installed.
  manifest.compatibility.platforms = [platform];
  writeFileSync(join(bundle, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);

  const file = join(resolve(flags.out), `lectern-${version}-${platform}-${arch}.mcpb`);
  const tool = join(home, "node_modules", "@anthropic-ai", "mcpb", "dist", "cli", "cli.js");
  execFileSync(process.execPath, [tool, "pack", bundle, file], { stdio: ["ignore", "ignore", 2] });
  process.stdout.write(`${file}\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function npm(words, cwd) {
  return execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function readJson(file) {
  return JSON.parse(readFileSync(join(home, file), "utf8"));
}
