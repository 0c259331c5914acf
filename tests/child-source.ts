import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const repository = fileURLToPath(new URL("..", import.meta.url));

/**
 * Bundles a few lines of TypeScript into a file for a plain Node process; Node 20 reads no
 * TypeScript itself. Imports in it start from the repository, as in `"./src/kernel/home/lease.ts"`.
 * The file lies below `node_modules`, where packages are found.
 */
export function childSource(contents: string): string {
  const built = buildSync({
    stdin: { contents, resolveDir: repository, loader: "ts" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    write: false,
  });
  const code = built.outputFiles[0]?.text ?? "";
  const folder = join(repository, "node_modules", ".cache", "lectern-tests");
  const path = join(folder, `${createHash("sha256").update(code).digest("hex").slice(0, 16)}.mjs`);
  mkdirSync(folder, { recursive: true });
  // Two test files may build the same source concurrently; the rename keeps each file complete.
  writeFileSync(`${path}.${process.pid}`, code);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}
