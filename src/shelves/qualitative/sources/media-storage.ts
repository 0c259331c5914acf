import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../../kernel/failure.ts";
import { type SafeDirectory, withDirectory } from "../../../kernel/files/safe-directory.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import type { ProjectLocation } from "../project/project-location.ts";
import { mediaFoldersByType } from "./media-path.ts";
import { type SourceFile, sourceNotImported } from "./source-file.ts";

/** A file copied into the project. */
export interface StoredMedia {
  mediapath: string | null;
  /** Deletes the copy after a failed import. */
  remove(): void;
  close(): void;
}

/**
 * Copies a file into the project's folder under a free name, unless it is there already. A project
 * that is a single database has no folder: a text is stored in the database, and any other file is
 * linked.
 */
export async function storeMedia(
  boundary: Boundary,
  { path: project, database }: ProjectLocation,
  file: SourceFile,
): Promise<StoredMedia> {
  const { folder, word } = mediaFoldersByType[file.type];
  const untouched = (mediapath: string | null): StoredMedia => ({
    mediapath,
    remove: () => {},
    close: () => {},
  });
  if (database === project) return untouched(file.type === "text" ? null : `${word}:${file.path}`);
  const { directory, mode } = openMediaFolder(boundary, project, folder, basename(database));
  try {
    if (dirname(file.path) === directory.path) {
      directory.close();
      return untouched(`/${word}/${basename(file.path)}`);
    }
    const name = await copyUnderFreeName(boundary, file, directory, mode);
    const { close } = directory;
    return { mediapath: `/${word}/${name}`, remove: () => directory.remove(name), close };
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** Opens the folder for one type of source. New files are as readable as the project's database. */
function openMediaFolder(boundary: Boundary, project: string, folder: string, database: string) {
  return withDirectory(boundary.openDirectory(project), (projectFolder) => {
    const mode = (projectFolder.stat(database)?.mode ?? 0o600) & 0o666;
    try {
      if (!projectFolder.stat(folder))
        projectFolder.makeFolder(folder, mode | ((mode & 0o444) >> 2));
    } catch (error) {
      // Another process may have created it at the same time.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw notCopied(error);
    }
    return {
      directory: boundary.openDirectory(boundary.unrestricted.assertAllowed(join(project, folder))),
      mode,
    };
  });
}

/** Returns the name of the copy. */
async function copyUnderFreeName(
  boundary: Boundary,
  file: SourceFile,
  directory: SafeDirectory,
  mode: number,
): Promise<string> {
  const extension = extname(file.name);
  const stem = basename(file.name, extension);
  for (let count = 1; ; count++) {
    const name = count === 1 ? file.name : `${stem}_${count}${extension}`;
    if (await tryCopy(boundary, file, directory, name, mode)) return name;
  }
}

/** False if the name is already used. */
async function tryCopy(
  boundary: Boundary,
  { path }: SourceFile,
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
    throw notCopied(error);
  }
}

function notCopied(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code } = error as NodeJS.ErrnoException;
  return sourceNotImported("NOT_COPIED", `The file cannot be copied into the project (${code})`, {
    kind: "unavailable",
    hints: ["Check the permissions and the free disk space."],
  });
}
