import type { Database } from "./database.ts";
import type { FileEdit } from "./file-edits.ts";
import { authored, type Tables } from "./tables.ts";

/** Files that a process was about to write. */
export interface Intent {
  /** The folder that they all lie in. */
  within: string;
  /** The process, whose number is in the names of what it writes beside the files. */
  pid: number;
  edits: readonly FileEdit[];
}

/**
 * What was written down before files are touched, and is forgotten in the transaction that tells of
 * the change. So an intent that is found by whoever may write to the store is of a process that was
 * stopped, or of one that has not begun and will notice.
 */
export interface Intents {
  fulfil<Result>(intent: Intent, work: () => Result): Result;
  /** Hands out what was left, to be taken back; what could not be, is kept. */
  settle(takeBack: (intent: Intent) => void): void;
}

export const intentTables: Tables = authored([
  "CREATE TABLE intents (id INTEGER PRIMARY KEY AUTOINCREMENT, intent TEXT NOT NULL);",
]);

export function openIntents(db: Database): Intents {
  const forget = (id: number): boolean =>
    db.run("DELETE FROM intents WHERE id = ?", id).changes > 0;

  return {
    fulfil(intent, work) {
      for (;;) {
        const { lastId } = db.run(
          "INSERT INTO intents (intent) VALUES (?)",
          JSON.stringify(intent),
        );
        try {
          const done = db.transaction(() => (forget(lastId) ? { result: work() } : undefined));
          if (done) return done.result;
        } catch (error) {
          forget(lastId);
          throw error;
        }
      }
    },
    settle(takeBack) {
      if (!db.get("SELECT 1 FROM intents LIMIT 1")) return;
      db.transaction(() => {
        for (const { id, intent } of db.all<{ id: number; intent: string }>(
          "SELECT id, intent FROM intents ORDER BY id DESC",
        )) {
          // Only `fulfil` writes rows.
          if (isTakenBack(() => takeBack(JSON.parse(intent) as Intent))) forget(id);
        }
      });
    },
  };
}

/** A folder may be out of reach for this process, and in that of another. */
function isTakenBack(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
