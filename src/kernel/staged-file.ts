import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inDirectory, openDirectory, type SafeDirectory } from "./safe-directory.ts";
import { temporaryName } from "./temporary-name.ts";

/**
 * Makes a file by a program that opens it by its path, as SQLite does. The path is in a folder that
 * nobody else may enter, so nobody can swap a part of it; the finished file is then copied into the
 * open directory, under a name that is not there yet.
 */
export function makeStaged(
  directory: SafeDirectory,
  name: string,
  make: (path: string) => void,
): void {
  const folder = temporaryName(".staging");
  inDirectory(openDirectory(realpathSync.native(tmpdir())), (above) => {
    above.removeAbandoned();
    above.makeFolder(folder, 0o700);
    try {
      const staged = join(above.path, folder, name);
      inDirectory(above.enter(folder), (inner) => inner.write(name, "", 0o600));
      make(staged);
      directory.copyFrom(staged, name);
    } finally {
      above.removeTree(folder);
    }
  });
}
