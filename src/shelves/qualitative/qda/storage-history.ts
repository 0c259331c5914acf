import type { Database } from "../../../kernel/database.ts";
import { redoOperation, undoOperation } from "../told-changes.ts";
import { hasTable } from "./storage-project.ts";

/** The newest change of the project's own log that is in force, and so the next to be undone. */
export const newestDone = (db: Database): number | undefined =>
  hasHistory(db)
    ? db.get<{ id: number }>(
        `SELECT id FROM lectern_changes
          WHERE undone_by IS NULL AND operation <> ? ORDER BY id DESC LIMIT 1`,
        undoOperation,
      )?.id
    : undefined;

/** The newest undo that can be taken back: nothing else was done since. */
export const newestUndone = (db: Database): number | undefined =>
  hasHistory(db)
    ? db.get<{ id: number }>(
        `SELECT id FROM lectern_changes
          WHERE undone_by IS NULL AND operation = ?1
            AND id > (SELECT ifnull(max(id), 0) FROM lectern_changes
                       WHERE operation NOT IN (?1, ?2))
          ORDER BY id DESC LIMIT 1`,
        undoOperation,
        redoOperation,
      )?.id
    : undefined;

export const operationOfChange = (db: Database, id: number): string | undefined =>
  hasHistory(db)
    ? db.get<{ operation: string }>("SELECT operation FROM lectern_changes WHERE id = ?", id)
        ?.operation
    : undefined;

const hasHistory = (db: Database): boolean => hasTable(db, "lectern_changes");
