import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const block = 4_096;
const size = "16m";

/** A small tmpfs that can be filled repeatedly. */
export interface SmallDisk {
  path: string;
  /** Fills the free space except for this many blocks. */
  fill(blocks: number): void;
  empty(): void;
  remove(): void;
}

/** Why it cannot be created here, or undefined if it can. */
export function noSmallDisk(): string | undefined {
  if (process.platform !== "linux") return "only Linux has a small file system to be filled";
  if (process.getuid?.() !== 0) return "only root may mount a small file system";
  return undefined;
}

export function makeSmallDisk(): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "lectern-full-"));
  const fillerFile = join(path, "ballast");
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "lectern-torture", path]);
  return {
    path,
    fill(blocks) {
      try {
        writeFileSync(fillerFile, Buffer.alloc(statfsSync(path).bfree * block + block));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
      truncateSync(fillerFile, Math.max(statSync(fillerFile).size - blocks * block, 0));
    },
    empty: () => rmSync(fillerFile, { force: true }),
    remove() {
      // A killed process may take a moment to release it.
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
