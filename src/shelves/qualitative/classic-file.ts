import {
  type Database,
  isBusy,
  isCorrupt,
  isTooLarge,
  type OpenOptions,
  openDatabase,
} from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { openForeignDatabase } from "../../kernel/foreign/foreign-database.ts";
import type { FileRules } from "../../kernel/foreign/foreign-file.ts";
import { isUnsafeDatabase } from "../../kernel/foreign/unsafe.ts";
import { columnsOf, hasTable } from "./qda/storage-project.ts";
import { projectRules } from "./qda/storage-rules.ts";
import { neededTables } from "./qda/tables.ts";

/** Whoever waits for a file keeps every other caller of this process waiting too. */
const longestWaitMs = 1_000;

/** A file that is made now; only while it is written does it leave a journal beside it. */
export const createFile = (path: string): Database =>
  openDatabase(path, { journal: "rollback", busyMs: longestWaitMs });

/** The file of a project, which anybody may have written. */
export const openFile = (
  path: string,
  {
    readOnly = false,
    oneNameOnly = false,
    isInside,
  }: Pick<OpenOptions, "readOnly"> & Partial<FileRules> = {},
): Database =>
  openForeignDatabase(path, {
    readOnly,
    busyMs: longestWaitMs,
    rules: { ...projectRules(), oneNameOnly, isInside },
  });

/** A file that QualCoder wrote, of whatever version: what it holds is asked, not its number. */
export function openClassic(path: string, rules: FileRules): Database {
  try {
    return openedToRead(path, rules);
  } catch (error) {
    if (isUnsafeDatabase(error)) throw notOpened(error.message);
    if (error instanceof Failure) throw error;
    if (isBusy(error)) throw inUse(error);
    if (isReadOnly(error)) return settled(path, rules);
    throw notOpened("The file cannot be read as a database.", error);
  }
}

function openedToRead(path: string, rules: FileRules): Database {
  const db = openFile(path, { ...rules, readOnly: true });
  try {
    const lacks = neededTables.find((table) => !hasTable(db, table));
    if (lacks === undefined) return db;
    throw notOpened(`It has no table '${lacks}', so it is no QualCoder project.`);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A program that was stopped while it wrote left half a change behind, which SQLite takes back. */
function settled(path: string, rules: FileRules): Database {
  try {
    const db = openFile(path, rules);
    try {
      columnsOf(db, "project");
    } finally {
      db.close();
    }
    return openedToRead(path, rules);
  } catch (error) {
    if (isUnsafeDatabase(error)) throw notOpened(error.message);
    if (error instanceof Failure) throw error;
    if (isBusy(error)) throw inUse(error);
    throw notOpened("A write was cut off in this project, and it cannot be mended here.", error);
  }
}

/** Does work on a project's file, and tells why that cannot be written. */
export function inFile<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isUnsafeDatabase(error)) {
      throw new Failure("forbidden", "PROJECT_UNSAFE", error.message, { hints: error.hints });
    }
    if (isBusy(error)) throw inUse(error);
    if (isReadOnly(error)) {
      throw new Failure("forbidden", "PROJECT_READ_ONLY", "This project cannot be written.", {
        hints: ["Check the permissions of its folder and of its data.qda."],
        cause: error,
      });
    }
    throw error;
  }
}

/** The same file, whose failures are told as the project's: a store that fails is another matter. */
export const toldAsProject = (db: Database): Database => ({
  ...db,
  all: (sql, ...values) => inWhole(() => db.all(sql, ...values)),
  get: (sql, ...values) => inWhole(() => db.get(sql, ...values)),
  run: (sql, ...values) => inWhole(() => db.run(sql, ...values)),
  exec: (sql) => inWhole(() => db.exec(sql)),
});

function inWhole<Result>(work: () => Result): Result {
  try {
    return inFile(work);
  } catch (error) {
    if (isTooLarge(error)) {
      throw new Failure("too-large", "VALUE_TOO_LARGE", "A text in this project is too large.", {
        hints: ["A text may take up to 128 MB."],
        cause: error,
      });
    }
    if (!isCorrupt(error)) throw error;
    throw new Failure("conflict", "PROJECT_DAMAGED", "The project's database is damaged.", {
      hints: ["Open the newest copy with _BKUP_ in its name, beside the project."],
      cause: error,
    });
  }
}

const inUse = (cause: unknown): Failure =>
  new Failure("conflict", "PROJECT_IN_USE", "Another program writes to this project.", {
    hints: ["Try again when it has finished."],
    cause,
  });

const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && /readonly database|unable to open|EACCES|EROFS/.test(error.message);

const notOpened = (message: string, cause?: unknown): Failure =>
  new Failure("invalid", "PROJECT_NOT_OPENED/DB_OPEN_FAILED", message, { cause });
