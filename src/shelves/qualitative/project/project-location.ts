import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../../kernel/failure.ts";
import { type SafeDirectory, withDirectory } from "../../../kernel/files/safe-directory.ts";
import { createThroughStaging } from "../../../kernel/files/staged-file.ts";
import { temporaryName } from "../../../kernel/files/temporary-name.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { isFolder, statOrUndefined } from "../../../kernel/paths/file-stat.ts";
import { shorten } from "../../../text/strings/shorten.ts";
import { mediaFoldersByType } from "../sources/media-path.ts";

/** A project is a folder that contains a database, or a single database file. */
export interface ProjectLocation {
  /** The folder, or the file of a project without a folder. */
  path: string;
  database: string;
  /** The base name without the extension. */
  name: string;
}

const mediaFolderNames = new Set(Object.values(mediaFoldersByType).map(({ folder }) => folder));

/** Accepts the project's folder, the database in it, or a single database file. */
export function locateProject(boundary: Boundary, requestedPath: string): ProjectLocation {
  const path = enterProjectPath(boundary, requestedPath);
  const inside = join(path, "data.qda");
  if (isFolder(path)) {
    if (!existsSync(inside)) throw invalidPath("This folder contains no data.qda.");
    return { path, database: enterProjectPath(boundary, inside), name: projectNameOf(path) };
  }
  const isInFolder = basename(path) === "data.qda";
  const projectPath = isInFolder ? dirname(path) : path;
  return { path: projectPath, database: path, name: projectNameOf(projectPath) };
}

/** A project being created. All of its files are created through the open folder. */
export interface NewProjectFolder extends ProjectLocation {
  readonly folder: SafeDirectory;
  /** The open parent folder. */
  readonly parentFolder: SafeDirectory;
  /** Deletes the incomplete project after an error. */
  remove(): void;
  close(): void;
}

/** Creates the folders of a new project. Fails if the project's own folder exists. */
export function createProjectFolder(boundary: Boundary, requestedPath: string): NewProjectFolder {
  if (!basename(requestedPath).endsWith(".qda")) {
    throw notCreated("INVALID_PATH", "The name of a project's folder must end with .qda.");
  }
  const { directory, name } = openParentOf(boundary, requestedPath);
  try {
    directory.removeStaleTemporaries();
    const folder = makeProjectFolder(directory, name);
    const path = join(directory.path, name);
    return {
      path,
      database: join(path, "data.qda"),
      name: projectNameOf(path),
      folder,
      parentFolder: directory,
      remove: () => directory.removeTree(name),
      close() {
        folder.close();
        directory.close();
      },
    };
  } catch (error) {
    directory.close();
    throw error;
  }
}

function openParentOf(
  boundary: Boundary,
  path: string,
): ReturnType<Boundary["openParentDirectory"]> {
  try {
    return boundary.openParentDirectory(path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, code, hints } = error;
    // The error must not name the parent folder, which the caller has not named.
    if (code === "out-of-root") {
      throw new Failure(kind, code, `'${shorten(path)}' is outside the root.`, { hints });
    }
    if (kind === "forbidden" || kind === "conflict") throw error;
    throw notCreated("INVALID_PATH", "The parent folder of the project does not exist.");
  }
}

/** Mode 0700: a project contains what people said in confidence. */
function makeProjectFolder(directory: SafeDirectory, name: string): SafeDirectory {
  try {
    directory.makeFolder(name, 0o700);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw notCreated("ALREADY_EXISTS", "A file or folder with this name already exists.");
    }
    throw notCreated("NO_PERMISSION", "The project's folder cannot be created there.", error);
  }
  try {
    const folder = directory.openFolder(name);
    for (const media of mediaFolderNames) folder.makeFolder(media, 0o700);
    return folder;
  } catch (error) {
    directory.removeTree(name);
    throw error;
  }
}

/** Agents may not open backups: a source in one may have become private since. */
export function assertNotBackup({ path }: ProjectLocation): void {
  if (!basename(path).includes(backupMarker)) return;
  throw new Failure("forbidden", "PROJECT_NOT_OPENED/BACKUP", "Only a person can open a backup.", {
    hints: ["Open the project itself."],
  });
}

/** Part of the name of every backup, made by QualCoder or by us. */
const backupMarker = "_BKUP_";

/** Device and inode, to detect that a file was replaced; undefined if it cannot be read. */
export function fileIdentityOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.dev}:${stat.ino}`;
  } catch {
    return undefined;
  }
}

/** Without this check SQLite would create an empty file in place of a deleted one. */
export function assertStillThere({ database }: ProjectLocation): void {
  if (existsSync(database)) return;
  throw new Failure("not-found", "PROJECT_GONE", "The project was moved or deleted.", {
    hints: ["Open it again at its new path."],
  });
}

/** QualCoder touches its lock every few seconds while it has a project open. */
const lockTimeoutMs = 60_000;

export function assertNotInUse({ path, database }: ProjectLocation): void {
  if (database === path) return;
  const lock = statOrUndefined(join(path, "project_in_use.lock"));
  if (!lock || Date.now() - lock.mtimeMs > lockTimeoutMs) return;
  throw new Failure("conflict", "PROJECT_IN_USE", "QualCoder has this project open.", {
    hints: ["Close it there, wait a minute and try again. You can still read the project."],
  });
}

/**
 * Backs up the database under QualCoder's naming scheme, beside the project, or inside its folder
 * if the parent is not writable. Returns the path of the backup.
 */
export function backUpProject(
  boundary: Boundary,
  { path, database }: ProjectLocation,
  now: Date,
  copyTo: (path: string) => void,
): string {
  const parent = boundary.allowsFolder(dirname(path)) ? dirname(path) : path;
  return withDirectory(boundary.openDirectory(parent), (directory) => {
    directory.removeStaleTemporaries();
    const name = reserveBackupName(projectNameOf(path), now, (candidate) => {
      if (database === path) directory.write(candidate, "", 0o600);
      else directory.makeFolder(candidate, 0o700);
    });
    try {
      if (database === path) writeCopyOver(directory, name, copyTo);
      else
        withDirectory(directory.openFolder(name), (copy) =>
          createThroughStaging(copy, "data.qda", copyTo),
        );
      directory.verify();
    } catch (error) {
      directory.removeTree(name);
      throw error;
    }
    return database === path ? join(parent, name) : join(parent, name, "data.qda");
  });
}

function writeCopyOver(
  directory: SafeDirectory,
  name: string,
  copyTo: (path: string) => void,
): void {
  const temporary = temporaryName();
  try {
    createThroughStaging(directory, temporary, copyTo);
    directory.rename(temporary, name);
  } finally {
    directory.remove(temporary);
  }
}

/**
 * Two processes may make their first write at the same time: the second one takes the next name.
 */
function reserveBackupName(project: string, now: Date, reserve: (name: string) => void): string {
  for (let time = now.getTime(); ; time++) {
    const name = `${project}${backupMarker}${timestampOf(new Date(time))}.qda`;
    if (!failsAsTaken(() => reserve(name))) return name;
  }
}

const timestampOf = (time: Date): string => {
  const second = time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
  return `${second}_${time.getMilliseconds()}`;
};

function failsAsTaken(reserve: () => void): boolean {
  try {
    reserve();
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return true;
    throw error;
  }
}

function enterProjectPath(boundary: Boundary, path: string): string {
  try {
    return boundary.resolveProjectPath(path);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "forbidden") throw error;
    throw invalidPath(error.message);
  }
}

const projectNameOf = (path: string): string => basename(path).replace(/\.qda$/, "");

const invalidPath = (message: string): Failure =>
  new Failure("not-found", "PROJECT_NOT_OPENED/INVALID_PATH", message, {
    hints: ["Give the path of a project's folder, of its data.qda, or of a .qda file."],
  });

const notCreated = (reason: string, message: string, cause?: unknown): Failure =>
  new Failure(
    reason === "ALREADY_EXISTS" ? "conflict" : "invalid",
    `PROJECT_NOT_CREATED/${reason}`,
    message,
    { cause },
  );
