/**
 * Builds the bundle that desktop clients install with a double click: the packed program and its
 * dependencies, for the current platform. `--out FOLDER` sets the output folder.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values: flags } = parseArgs({ options: { out: { type: "string", default: "." } } });
const tempFolder = mkdtempSync(join(tmpdir(), "lectern-mcpb-"));
const bundle = join(tempFolder, "bundle");
const { version } = readJson("package.json");
const { platform, arch } = process;

try {
  const packed = npm(
    ["pack", "--ignore-scripts", "--json", "--pack-destination", tempFolder],
    home,
  );
  const [{ filename }] = JSON.parse(packed);
  const quietly = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline"];
  npm(["install", ...quietly, "--prefix", tempFolder, join(tempFolder, filename)], tempFolder);

  const installed = join(tempFolder, "node_modules");
  cpSync(join(installed, "lectern"), bundle, { recursive: true });
  rmSync(join(installed, "lectern"), { recursive: true });
  rmSync(join(installed, ".bin"), { recursive: true, force: true });
  cpSync(installed, join(bundle, "node_modules"), { recursive: true });

  const manifest = readJson(join("packaging", "manifest.json"));
  manifest.version = version;
  // Some dependencies have native binaries, installed for this platform only.
  manifest.compatibility.platforms = [platform];
  writeFileSync(join(bundle, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);

  const file = join(resolve(flags.out), `lectern-${version}-${platform}-${arch}.mcpb`);
  const tool = join(home, "node_modules", "@anthropic-ai", "mcpb", "dist", "cli", "cli.js");
  execFileSync(process.execPath, [tool, "pack", bundle, file], { stdio: ["ignore", "ignore", 2] });
  process.stdout.write(`${file}\n`);
} finally {
  rmSync(tempFolder, { recursive: true, force: true });
}

function npm(args, cwd) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function readJson(file) {
  return JSON.parse(readFileSync(join(home, file), "utf8"));
}
