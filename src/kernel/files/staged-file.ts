import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDirectory, type SafeDirectory, withDirectory } from "./safe-directory.ts";
import { temporaryName } from "./temporary-name.ts";

/**
 * Creates a file with a library that opens it by path, such as SQLite. The path is in a private
 * folder, so no other user can replace a part of it. The finished file is then copied into the open
 * directory under a new name.
 */
export function createThroughStaging(
  directory: SafeDirectory,
  name: string,
  make: (path: string) => void,
): void {
  const folder = temporaryName(".staging");
  withDirectory(openDirectory(realpathSync.native(tmpdir())), (parent) => {
    parent.removeStaleTemporaries();
    parent.makeFolder(folder, 0o700);
    try {
      const staged = join(parent.path, folder, name);
      withDirectory(parent.openFolder(folder), (inner) => inner.write(name, "", 0o600));
      make(staged);
      directory.copyFrom(staged, name);
    } finally {
      parent.removeTree(folder);
    }
  });
}
