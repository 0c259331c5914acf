import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { inDirectory, type SafeDirectory } from "../../kernel/safe-directory.ts";
import { type ImportFile, notImported } from "./importing.ts";
import { mediaHomes } from "./mediapath.ts";
import type { Place } from "./place.ts";

/** A file that belongs to the project now. */
export interface KeptFile {
  mediapath: string | null;
  /** Takes it away again where nothing came of it. */
  remove(): void;
  close(): void;
}

/**
 * Copies a file into the project's folder under a name that is free there, unless it is there. A
 * project that is a database alone has no folder: then a text is in the database, and the rest stays
 * where it is.
 */
export async function keepImport(
  boundary: Boundary,
  { path: project, database }: Place,
  file: ImportFile,
): Promise<KeptFile> {
  const { folder, word } = mediaHomes[file.type];
  const untouched = (mediapath: string | null): KeptFile => ({
    mediapath,
    remove: () => {},
    close: () => {},
  });
  if (database === project) return untouched(file.type === "text" ? null : `${word}:${file.path}`);
  const { directory, mode } = homeIn(boundary, project, folder, basename(database));
  try {
    if (dirname(file.path) === directory.path) {
      directory.close();
      return untouched(`/${word}/${basename(file.path)}`);
    }
    const name = await copied(boundary, file, directory, mode);
    const { close } = directory;
    return { mediapath: `/${word}/${name}`, remove: () => directory.remove(name), close };
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** The folder for one kind of source. Whoever may read the project may read what is added to it. */
function homeIn(boundary: Boundary, project: string, folder: string, database: string) {
  return inDirectory(boundary.openDirectory(project), (above) => {
    const mode = (above.stat(database)?.mode ?? 0o600) & 0o666;
    if (!above.stat(folder)) above.makeFolder(folder, mode | ((mode & 0o444) >> 2));
    return {
      directory: boundary.openDirectory(boundary.unrestricted.admit(join(project, folder))),
      mode,
    };
  });
}

/** Gives the name that was free. */
async function copied(
  boundary: Boundary,
  file: ImportFile,
  directory: SafeDirectory,
  mode: number,
): Promise<string> {
  const extension = extname(file.name);
  const stem = basename(file.name, extension);
  for (let count = 1; ; count++) {
    const name = count === 1 ? file.name : `${stem}_${count}${extension}`;
    if (await isCopied(boundary, file, directory, name, mode)) return name;
  }
}

/** False where something of this name is there already. */
async function isCopied(
  boundary: Boundary,
  { path }: ImportFile,
  directory: SafeDirectory,
  name: string,
  mode: number,
): Promise<boolean> {
  if (directory.stat(name)) return false;
  let isMade = false;
  try {
    const from = boundary.streamFile(path, dirname(path));
    const to = directory.stream(name, mode);
    isMade = true;
    await pipeline(from, to);
    directory.verify();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isMade) directory.remove(name);
    else if (code === "EEXIST") return false;
    if (error instanceof Failure) throw error;
    throw notImported("NOT_COPIED", `The file cannot be copied into the project (${code})`, {
      kind: "unavailable",
      hints: ["Check permissions and free space."],
    });
  }
}
