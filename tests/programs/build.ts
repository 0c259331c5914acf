import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const home = fileURLToPath(new URL("../..", import.meta.url));

const programs = {
  "line-server": new URL("./line-server.ts", import.meta.url),
  stubborn: new URL("./unstoppable.ts", import.meta.url),
};

/**
 * Bundles a program of this folder, so that a test can start it as a process. The bundle is
 * inside the repository, where it finds its packages, and is renamed into place, since tests
 * of several files may build the same one concurrently.
 */
export async function builtProgram(name: keyof typeof programs): Promise<string> {
  const folder = join(home, "node_modules", ".cache", "lectern-programs");
  mkdirSync(folder, { recursive: true });
  const made = join(folder, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [fileURLToPath(programs[name])],
    outfile: made,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  const file = join(folder, `${name}.mjs`);
  renameSync(made, file);
  return file;
}
