import type { SafeDirectory } from "./safe-directory.ts";
import { temporaryName } from "./temporary-name.ts";

/**
 * Makes a file whole or not at all: it is written beside its place, under a name that nobody else
 * has, and put there when it is finished. What is there already stays, unless it shall be replaced;
 * a link in that place is then replaced too, and not written through.
 */
export async function makeFile(
  directory: SafeDirectory,
  name: string,
  write: (fresh: string) => void | Promise<void>,
  { overwrite = false } = {},
): Promise<void> {
  const fresh = temporaryName();
  directory.removeAbandoned();
  try {
    await write(fresh);
    directory.verify();
    if (overwrite) directory.rename(fresh, name);
    else directory.putNew(fresh, name);
  } finally {
    directory.remove(fresh);
  }
  directory.sync();
}
