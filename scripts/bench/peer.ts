import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import type { Contestant } from "./contestant.ts";
import { fullName, installPackage, type Package } from "./installed.ts";

const wanted: Package = {
  name: "@tobilu/qmd",
  version: "2.8.3",
  companions: ["node@24"],
  hasScripts: true,
};
export const peerName = fullName(wanted);

/** Installs the program that Lectern is compared with. Returns its `node_modules`. */
export const installPeer = async (): Promise<string> =>
  join(await installPackage(wanted), "node_modules");

/** The peer needs a newer Node than Lectern: its own dependency, or that of our test tools. */
export function newerNode(packages: string): string | undefined {
  const folders = [join(packages, "node"), resolve("node_modules", "node")];
  const binaries = folders.map((folder) => join(folder, "bin", "node"));
  return binaries.find((file) => {
    try {
      return execFileSync(file, ["--version"], { encoding: "utf8" }).startsWith("v24.");
    } catch {
      return false;
    }
  });
}

/** `start` is the command `bin/qmd`, or the script that it runs as a second process. */
export function peer(home: string, node: string, packages: string, start: string): Contestant {
  return {
    name: peerName,
    home,
    command: [node, join(packages, wanted.name, start)],
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
