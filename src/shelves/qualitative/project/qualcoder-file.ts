import { Failure } from "../../../kernel/failure.ts";
import type { ForeignFileRules } from "../../../kernel/foreign/file-checks.ts";
import { openForeignDatabase } from "../../../kernel/foreign/foreign-database.ts";
import { isUnsafeDatabase } from "../../../kernel/foreign/unsafe-database.ts";
import {
  type Database,
  type DatabaseOptions,
  isBusyError,
  isCorruptionError,
  isTooLargeError,
  isWriteError,
  openDatabase,
} from "../../../kernel/storage/database.ts";
import { hasRowNumber, hasTable, hasUsedUpNumbers, tableColumns } from "../qda/storage-project.ts";
import { projectSchemaRules } from "../qda/storage-rules.ts";
import { requiredTables, rowNumbers } from "../qda/tables.ts";

/** Opening is synchronous and would block every other caller of this process. */
const maxWaitMs = 1_000;

/** Creates a project file. With a rollback journal, the journal file exists only during a write. */
export const createProjectFile = (path: string): Database =>
  openDatabase(path, { journal: "rollback", busyTimeoutMs: maxWaitMs });

/** Opens a project file as untrusted input. */
export const openProjectFile = (
  path: string,
  {
    readOnly = false,
    rejectHardLinks = false,
    isInside,
  }: Pick<DatabaseOptions, "readOnly"> & Partial<ForeignFileRules> = {},
): Database =>
  openForeignDatabase(path, {
    readOnly,
    busyTimeoutMs: maxWaitMs,
    rules: { ...projectSchemaRules(), rejectHardLinks, isInside },
  });

/**
 * Opens a file of any QualCoder version. The tables are inspected; the version number is not used.
 */
export function openQualcoderFile(path: string, rules: ForeignFileRules): Database {
  try {
    return openReadOnly(path, rules);
  } catch (error) {
    if (isUnsafeDatabase(error)) throw notOpened(error.message);
    if (error instanceof Failure) throw error;
    if (isBusyError(error)) throw projectInUse(error);
    if (isReadOnly(error)) return recoverAndOpen(path, rules);
    throw notOpened("The file cannot be read as a database.", error);
  }
}

function openReadOnly(path: string, rules: ForeignFileRules): Database {
  const db = openProjectFile(path, { ...rules, readOnly: true });
  try {
    const missing = findMissing(db);
    if (missing === undefined) return db;
    throw notOpened(`It has no ${missing}, so it is not a QualCoder project.`);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The first table or row number that every QualCoder project has, and this one does not. */
function findMissing(db: Database): string | undefined {
  const missingTable = requiredTables.find((table) => !hasTable(db, table));
  if (missingTable !== undefined) return `table '${missingTable}'`;
  const [table, column] = rowNumbers.find(([owner, key]) => !hasRowNumber(db, owner, key)) ?? [];
  return table === undefined ? undefined : `row number '${column}' in the table '${table}'`;
}

/**
 * Opens a file with a hot journal, which SQLite must roll back before a read-only connection can
 * read.
 */
function recoverAndOpen(path: string, rules: ForeignFileRules): Database {
  try {
    const db = openProjectFile(path, rules);
    try {
      tableColumns(db, "project");
    } finally {
      db.close();
    }
    return openReadOnly(path, rules);
  } catch (error) {
    if (isUnsafeDatabase(error)) throw notOpened(error.message);
    if (error instanceof Failure) throw error;
    if (isBusyError(error)) throw projectInUse(error);
    throw notOpened("A write to this project was interrupted and could not be rolled back.", error);
  }
}

/** Runs work on a project file and translates errors of locking and permissions. */
export function withFileErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isUnsafeDatabase(error)) {
      throw new Failure("forbidden", "PROJECT_UNSAFE", error.message, { hints: error.hints });
    }
    if (isBusyError(error)) throw projectInUse(error);
    if (isReadOnly(error)) {
      throw new Failure("forbidden", "PROJECT_READ_ONLY", "This project is read-only.", {
        hints: ["Check the permissions of its folder and of its data.qda."],
        cause: error,
      });
    }
    throw error;
  }
}

/**
 * Translates the errors of each statement, so that they name the project and not Lectern's own
 * store.
 */
export const withDatabaseErrors = (db: Database): Database => ({
  ...db,
  all: (sql, ...values) => withStatementErrors(db, () => db.all(sql, ...values)),
  get: (sql, ...values) => withStatementErrors(db, () => db.get(sql, ...values)),
  run: (sql, ...values) => withStatementErrors(db, () => db.run(sql, ...values)),
  exec: (sql) => withStatementErrors(db, () => db.exec(sql)),
});

function withStatementErrors<Result>(db: Database, work: () => Result): Result {
  try {
    return withFileErrors(work);
  } catch (error) {
    if (isTooLargeError(error)) {
      throw new Failure("too-large", "VALUE_TOO_LARGE", "A text in this project is too large.", {
        hints: ["A text can have up to 128 MB."],
        cause: error,
      });
    }
    if (isCorruptionError(error)) {
      throw unusableProject("PROJECT_DAMAGED", "The project's database is damaged.", error);
    }
    if (error instanceof Failure || (isWriteError(error) && !hasUsedUpNumbers(db))) throw error;
    // The statements are valid for every project that QualCoder and Lectern write.
    throw unusableProject(
      "PROJECT_ALTERED",
      "The project's database has tables or values that QualCoder does not write.",
      error,
    );
  }
}

const unusableProject = (code: string, message: string, cause: unknown): Failure =>
  new Failure("conflict", code, message, {
    hints: ["Open the newest copy with _BKUP_ in its name, beside the project."],
    cause,
  });

export const projectInUse = (cause?: unknown): Failure =>
  new Failure("conflict", "PROJECT_IN_USE", "Another program is writing to this project.", {
    hints: ["Try again when it has finished."],
    cause,
  });

const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && /readonly database|unable to open|EACCES|EROFS/.test(error.message);

const notOpened = (message: string, cause?: unknown): Failure =>
  new Failure("invalid", "PROJECT_NOT_OPENED/DB_OPEN_FAILED", message, { cause });
