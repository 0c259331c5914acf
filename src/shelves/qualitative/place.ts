import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { Failure } from "../../kernel/failure.ts";
import { isFolder } from "../../kernel/path-kind.ts";
import { inDirectory, type SafeDirectory } from "../../kernel/safe-directory.ts";
import { makeStaged } from "../../kernel/staged-file.ts";
import { temporaryName } from "../../kernel/temporary-name.ts";
import { shorten } from "../../text/shorten.ts";
import { mediaHomes } from "./mediapath.ts";

/** Where a project lies: a folder with its database in it, or a database alone. */
export interface Place {
  /** The folder, or the file where there is no folder: what people call the project. */
  path: string;
  database: string;
  /** As people see it: the name without its ending. */
  name: string;
}

/** Text, pictures and recordings of a project, as QualCoder sorts them. */
const mediaFolders = new Set(Object.values(mediaHomes).map(({ folder }) => folder));

/** A project by its folder, by the database in it, or by a database that stands alone. */
export function placeOf(boundary: Boundary, given: string): Place {
  const path = entered(boundary, given);
  const inside = join(path, "data.qda");
  if (isFolder(path)) {
    if (!existsSync(inside)) throw invalidPath("This folder holds no data.qda.");
    return { path, database: entered(boundary, inside), name: nameOf(path) };
  }
  const isInFolder = basename(path) === "data.qda";
  const named = isInFolder ? dirname(path) : path;
  return { path: named, database: path, name: nameOf(named) };
}

/** A new project while it is made: all of it goes through its open folder. */
export interface NewPlace extends Place {
  readonly folder: SafeDirectory;
  /** The open folder that it lies in. */
  readonly above: SafeDirectory;
  /** Takes away what was made of a project that could not be finished. */
  remove(): void;
  close(): void;
}

/** Makes the folders of a new project, whose own folder must not be there yet. */
export function makePlace(boundary: Boundary, given: string): NewPlace {
  if (!basename(given).endsWith(".qda")) {
    throw notCreated("INVALID_PATH", "A project's folder must be named like 'Interviews.qda'.");
  }
  const { directory, name } = parentOf(boundary, given);
  try {
    directory.removeAbandoned();
    const folder = madeIn(directory, name);
    const path = join(directory.path, name);
    return {
      path,
      database: join(path, "data.qda"),
      name: nameOf(path),
      folder,
      above: directory,
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

function parentOf(boundary: Boundary, given: string): ReturnType<Boundary["openParent"]> {
  try {
    return boundary.openParent(given);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, code, hints } = error;
    // The folder above is nothing that the caller has named.
    if (code === "out-of-root") {
      throw new Failure(kind, code, `'${shorten(given)}' lies outside the root.`, { hints });
    }
    if (kind === "forbidden" || kind === "conflict") throw error;
    throw notCreated("INVALID_PATH", "The folder to make the project in is not there.");
  }
}

/** Only the owner may enter a project: it holds what people said in confidence. */
function madeIn(directory: SafeDirectory, name: string): SafeDirectory {
  try {
    directory.makeFolder(name, 0o700);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw notCreated("ALREADY_EXISTS", "There is something of this name already.");
    }
    throw notCreated("NO_PERMISSION", "The project's folder cannot be made there.", error);
  }
  try {
    const folder = directory.enter(name);
    for (const media of mediaFolders) folder.makeFolder(media, 0o700);
    return folder;
  } catch (error) {
    directory.removeTree(name);
    throw error;
  }
}

/** A copy may hold what has become private since, so no agent opens one. */
export function refuseBackup({ path }: Place): void {
  if (!basename(path).includes(backupMark)) return;
  throw new Failure("forbidden", "PROJECT_NOT_OPENED/BACKUP", "Only a person opens a backup.", {
    hints: ["Open the project itself."],
  });
}

/** In the name of every copy, QualCoder's and ours. */
const backupMark = "_BKUP_";

/** Tells a file from another one that has taken its place; nothing where there is none. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/** SQLite would make an empty file in the place of one that is gone. */
export function refuseWhenGone({ database }: Place): void {
  if (existsSync(database)) return;
  throw new Failure("not-found", "PROJECT_GONE", "The project is not where it was opened.", {
    hints: ["Open it again from where it is now."],
  });
}

/** QualCoder touches its lock every few seconds while it has a project open. */
const lockHoldsMs = 60_000;

export function refuseWhileInUse({ path, database }: Place): void {
  if (database === path) return;
  const lock = statSync(join(path, "project_in_use.lock"), { throwIfNoEntry: false });
  if (!lock || Date.now() - lock.mtimeMs > lockHoldsMs) return;
  throw new Failure("conflict", "PROJECT_IN_USE", "QualCoder has this project open.", {
    hints: ["Close it there, wait a minute, and try again. Reading is possible meanwhile."],
  });
}

/**
 * Keeps a copy of the database, named as QualCoder names copies: beside the project, or in its folder
 * where nothing beside it may be written. Gives its path.
 */
export function makeBackup(
  boundary: Boundary,
  { path, database }: Place,
  now: Date,
  copyTo: (path: string) => void,
): string {
  const above = boundary.holds(dirname(path)) ? dirname(path) : path;
  return inDirectory(boundary.openDirectory(above), (directory) => {
    directory.removeAbandoned();
    const name = reservedName(nameOf(path), now, (wanted) => {
      if (database === path) directory.write(wanted, "", 0o600);
      else directory.makeFolder(wanted, 0o700);
    });
    try {
      if (database === path) replaceByCopy(directory, name, copyTo);
      else inDirectory(directory.enter(name), (copy) => makeStaged(copy, "data.qda", copyTo));
      directory.verify();
    } catch (error) {
      directory.removeTree(name);
      throw error;
    }
    return database === path ? join(above, name) : join(above, name, "data.qda");
  });
}

function replaceByCopy(
  directory: SafeDirectory,
  name: string,
  copyTo: (path: string) => void,
): void {
  const fresh = temporaryName();
  try {
    makeStaged(directory, fresh, copyTo);
    directory.rename(fresh, name);
  } finally {
    directory.remove(fresh);
  }
}

/** Another process may be at its first write in the same moment: whoever is second takes the next. */
function reservedName(project: string, now: Date, reserve: (name: string) => void): string {
  for (let time = now.getTime(); ; time++) {
    const name = `${project}${backupMark}${stampOf(new Date(time))}.qda`;
    if (!isTaken(() => reserve(name))) return name;
  }
}

const stampOf = (time: Date): string => {
  const second = time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
  return `${second}_${time.getMilliseconds()}`;
};

function isTaken(take: () => void): boolean {
  try {
    take();
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return true;
    throw error;
  }
}

function entered(boundary: Boundary, given: string): string {
  try {
    return boundary.enterProject(given);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "forbidden") throw error;
    throw invalidPath(error.message);
  }
}

const nameOf = (path: string): string => basename(path).replace(/\.qda$/, "");

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
