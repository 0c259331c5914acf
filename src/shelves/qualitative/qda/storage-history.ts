import type { Database } from "../../../kernel/storage/database.ts";
import { redoProjectOperation, undoProjectOperation } from "../project/activity-sync.ts";
import { hasTable } from "./storage-project.ts";

/** The newest change in the project's own log that is not undone: the next to undo. */
export const newestUndoable = (db: Database): number | undefined =>
  hasHistory(db)
    ? db.get<{ id: number }>(
        `SELECT id FROM lectern_changes
          WHERE undone_by IS NULL AND operation <> ? ORDER BY id DESC LIMIT 1`,
        undoProjectOperation,
      )?.id
    : undefined;

/** The newest undo, if no other change follows it: the next to redo. */
export const newestRedoable = (db: Database): number | undefined =>
  hasHistory(db)
    ? db.get<{ id: number }>(
        `SELECT id FROM lectern_changes
          WHERE undone_by IS NULL AND operation = ?1
            AND id > (SELECT ifnull(max(id), 0) FROM lectern_changes
                       WHERE operation NOT IN (?1, ?2))
          ORDER BY id DESC LIMIT 1`,
        undoProjectOperation,
        redoProjectOperation,
      )?.id
    : undefined;

export const operationOfChange = (db: Database, id: number): string | undefined =>
  hasHistory(db)
    ? db.get<{ operation: string }>("SELECT operation FROM lectern_changes WHERE id = ?", id)
        ?.operation
    : undefined;

const hasHistory = (db: Database): boolean => hasTable(db, "lectern_changes");
