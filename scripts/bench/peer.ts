import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Contestant } from "./contestant.ts";

const peerPackage = "@tobilu/qmd";
const peerVersion = "2.8.3";
export const peerName = `${peerPackage} ${peerVersion}`;

/** Kept between runs, apart from what this project depends on. */
const folder = resolve("node_modules", ".cache", "lectern", "peer");
const installed = join(folder, "node_modules");

/** Installs the program that we measure ourselves against, where it is not there yet. */
export async function installPeer(): Promise<void> {
  const about = join(installed, peerPackage, "package.json");
  if (existsSync(about) && JSON.parse(readFileSync(about, "utf8")).version === peerVersion) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const words = ["install", "node@24", `${peerPackage}@${peerVersion}`, "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", words, {
    cwd: folder,
    timeout: 600_000,
    shell: process.platform === "win32",
  });
}

/** The peer needs a newer Node than Lectern does: its own, or the one of our test tools. */
export function newerNode(): string | undefined {
  const places = [join(installed, "node"), resolve("node_modules", "node")];
  const binaries = places.map((place) => join(place, "bin", "node"));
  return binaries.find((file) => {
    try {
      return execFileSync(file, ["--version"], { encoding: "utf8" }).startsWith("v24.");
    } catch {
      return false;
    }
  });
}

/** As people start it, or without the process that starts the real one. */
export function peer(home: string, node: string, start: "bin/qmd" | "dist/cli/qmd.js"): Contestant {
  return {
    name: peerName,
    home,
    command: [node, join(installed, peerPackage, start)],
    env: {
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: join(home, "cache"),
      XDG_CONFIG_HOME: join(home, "config"),
      QMD_FORCE_CPU: "1",
      NO_COLOR: "1",
    },
    index: (pages) => ["collection", "add", pages, "--name", "docs"],
    update: ["update"],
    search: (query) => ["search", query, "-n", "10", "--format", "json"],
    server: ["mcp"],
    call: (query) => ({
      name: "query",
      arguments: { searches: [{ type: "lex", query }], limit: 10, rerank: false },
    }),
  };
}
