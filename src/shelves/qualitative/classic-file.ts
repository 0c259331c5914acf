import {
  type Database,
  isBusy,
  isCorrupt,
  type OpenOptions,
  openDatabase,
} from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { columnsOf, hasTable } from "./qda/storage-project.ts";
import { neededTables } from "./qda/tables.ts";

/** Whoever waits for a file keeps every other caller of this process waiting too. */
const longestWaitMs = 1_000;

/** The file of a project; only one that is written leaves a journal, and no other file, beside it. */
export const openFile = (path: string, options: Pick<OpenOptions, "readOnly"> = {}): Database =>
  openDatabase(path, { ...options, journal: "rollback", busyMs: longestWaitMs });

/** A file that QualCoder wrote, of whatever version: what it holds is asked, not its number. */
export function openClassic(path: string): Database {
  try {
    return openedToRead(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (isBusy(error)) throw inUse(error);
    if (isReadOnly(error)) return settled(path);
    throw notOpened("The file cannot be read as a database.", error);
  }
}

function openedToRead(path: string): Database {
  const db = openFile(path, { readOnly: true });
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
function settled(path: string): Database {
  try {
    const db = openFile(path);
    try {
      columnsOf(db, "project");
    } finally {
      db.close();
    }
    return openedToRead(path);
  } catch (error) {
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
