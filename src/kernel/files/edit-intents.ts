import type { Database } from "../storage/database.ts";
import { authoredTables, type Tables } from "../storage/migrations.ts";
import type { FileEdit } from "./file-edits.ts";

/** A write-ahead record of the files that a process is about to write. */
export interface EditIntent {
  /** The folder that contains all of them. */
  within: string;
  /** The process id, which is part of the names of its staged files. */
  pid: number;
  edits: readonly FileEdit[];
}

/**
 * A journal of file edits. An intent is written before files change, and deleted in the transaction
 * that records the change. So an intent that exists while another process holds the write lock
 * belongs to a process that was killed, or to one that has not started its transaction yet and will
 * detect that the intent was deleted.
 */
export interface EditJournal {
  runWithIntent<Result>(intent: EditIntent, work: () => Result): Result;
  /** Passes each leftover intent to `rollBack`; those that cannot be rolled back are kept. */
  recover(rollBack: (intent: EditIntent) => void): void;
}

export const intentTables: Tables = authoredTables([
  "CREATE TABLE intents (id INTEGER PRIMARY KEY AUTOINCREMENT, intent TEXT NOT NULL);",
]);

export function openEditJournal(db: Database): EditJournal {
  const deleteIntent = (id: number): boolean =>
    db.run("DELETE FROM intents WHERE id = ?", id).changes > 0;

  return {
    runWithIntent(intent, work) {
      for (;;) {
        const { lastId } = db.run(
          "INSERT INTO intents (intent) VALUES (?)",
          JSON.stringify(intent),
        );
        try {
          const done = db.transaction(() =>
            deleteIntent(lastId) ? { result: work() } : undefined,
          );
          if (done) return done.result;
        } catch (error) {
          deleteIntent(lastId);
          throw error;
        }
      }
    },
    recover(rollBack) {
      if (!db.get("SELECT 1 FROM intents LIMIT 1")) return;
      db.transaction(() => {
        for (const { id, intent } of db.all<{ id: number; intent: string }>(
          "SELECT id, intent FROM intents ORDER BY id DESC",
        )) {
          // Rows are written by `runWithIntent` only.
          if (succeeds(() => rollBack(JSON.parse(intent) as EditIntent))) deleteIntent(id);
        }
      });
    },
  };
}

/** A folder may be inaccessible to this process but not to another. */
function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
