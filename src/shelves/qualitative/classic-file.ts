import { type Database, isBusy, openDatabase } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { columnsOf } from "./qda/storage-project.ts";
import { neededTables } from "./qda/tables.ts";

/** A file that QualCoder wrote, of whatever version: what it holds is asked, not its number. */
export function openClassic(path: string): Database {
  try {
    return openedToRead(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (isReadOnly(error)) return settled(path);
    throw notOpened("The file cannot be read as a database.", error);
  }
}

function openedToRead(path: string): Database {
  const db = openDatabase(path, { readOnly: true });
  try {
    const lacks = neededTables.find((table) => columnsOf(db, table).length === 0);
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
    const db = openDatabase(path, { journal: "rollback" });
    columnsOf(db, "project");
    db.close();
    return openedToRead(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw notOpened("A write was cut off in this project, and it cannot be mended here.", error);
  }
}

/** Does work on a project's file, and tells why that cannot be written. */
export function inFile<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isBusy(error)) {
      throw new Failure("conflict", "PROJECT_IN_USE", "Another program writes to this project.", {
        hints: ["Try again when it has finished."],
        cause: error,
      });
    }
    if (isReadOnly(error)) {
      throw new Failure("forbidden", "PROJECT_READ_ONLY", "This project cannot be written.", {
        hints: ["Check the permissions of its folder and of its data.qda."],
        cause: error,
      });
    }
    throw error;
  }
}

const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && /readonly database|unable to open|EACCES|EROFS/.test(error.message);

const notOpened = (message: string, cause?: unknown): Failure =>
  new Failure("invalid", "PROJECT_NOT_OPENED/DB_OPEN_FAILED", message, { cause });
