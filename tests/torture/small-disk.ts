import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const block = 4_096;
const size = "16m";

/** A file system of its own, small enough to be filled again and again. */
export interface SmallDisk {
  path: string;
  /** Takes all that is free, and gives so many blocks back. */
  fill(blocks: number): void;
  empty(): void;
  remove(): void;
}

/** Why there can be none here, or nothing where there can. */
export function noSmallDisk(): string | undefined {
  if (process.platform !== "linux") return "only Linux has a small file system to be filled";
  if (process.getuid?.() !== 0) return "only root may mount a small file system";
  return undefined;
}

export function makeSmallDisk(): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "lectern-full-"));
  const ballast = join(path, "ballast");
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "lectern-torture", path]);
  return {
    path,
    fill(blocks) {
      try {
        writeFileSync(ballast, Buffer.alloc(statfsSync(path).bfree * block + block));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
      truncateSync(ballast, Math.max(statSync(ballast).size - blocks * block, 0));
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      // A process that was killed may take a moment to leave it.
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
