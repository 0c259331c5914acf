import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * Gives each test file, and the programs it starts, a temporary folder of its own, which is removed
 * when the file has run. It is in memory where there is room, so that no test waits for a disk.
 */
const original = process.env.TMPDIR;
const folder = mkdtempSync(join(fastestFolder(), "lectern-test-"));
process.env.TMPDIR = folder;

const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.once("exit", remove);

afterAll(() => {
  process.off("exit", remove);
  if (original === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = original;
  remove();
});

/** `/dev/shm` is in memory on Linux. A container may limit it to a few megabytes. */
function fastestFolder(): string {
  const inMemory = "/dev/shm";
  const neededBytes = 4 * 1024 ** 3;
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return original === undefined && bavail * bsize >= neededBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}
