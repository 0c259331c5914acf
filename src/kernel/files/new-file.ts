import type { SafeDirectory } from "./safe-directory.ts";
import { temporaryName } from "./temporary-name.ts";

/**
 * Creates a file atomically: it is written under a unique temporary name beside its target and
 * renamed when complete. An existing file is kept unless `overwrite` is set; then a link is
 * replaced and not followed.
 */
export async function createFileAtomically(
  directory: SafeDirectory,
  name: string,
  write: (temporary: string) => void | Promise<void>,
  { overwrite = false } = {},
): Promise<void> {
  const temporary = temporaryName();
  directory.removeStaleTemporaries();
  try {
    await write(temporary);
    directory.verify();
    if (overwrite) directory.rename(temporary, name);
    else directory.moveToNew(temporary, name);
  } finally {
    directory.remove(temporary);
  }
  directory.sync();
}
