import { hostname } from "node:os";
import { authoredTables, type Tables } from "../storage/migrations.ts";
import { all, get, run, type Steps, transaction } from "../storage/steps.ts";
import type { FileEdit } from "./file-edits.ts";

/** A write-ahead record of the files that a process is about to write. */
export interface EditIntent {
  /** The folder that contains all of them. */
  within: string;
  /** The process id, which is part of the names of its staged files. */
  pid: number;
  edits: readonly FileEdit[];
}

/** Reverts the edits of an intent. */
type RollBack = (intent: EditIntent) => void;

export const intentTables: Tables = authoredTables([
  "CREATE TABLE intents (id INTEGER PRIMARY KEY AUTOINCREMENT, intent TEXT NOT NULL);",
]);

/**
 * Runs work that edits files and records the change. The intent is written before the files change,
 * and deleted in the transaction that records the change. So an intent that exists while another
 * process holds the write lock belongs to a process that was killed, or to one that has not started
 * its transaction yet and will detect that the intent was deleted.
 */
export function* runWithIntent<Result>(
  intent: EditIntent,
  work: () => Steps<Result>,
  rollBack: RollBack,
): Steps<Result> {
  for (;;) {
    const id = yield* insertIntent(intent);
    try {
      const done = yield* transaction(function* () {
        return (yield* deleteIntent(id)) ? { result: yield* work() } : undefined;
      });
      if (done) return done.result;
    } catch (error) {
      yield* rollBackFailed(id, intent, rollBack);
      throw error;
    }
  }
}

/**
 * If the intent is gone, the change was recorded and only the answer of the server was lost. If the
 * store fails again, the intent remains for the next process.
 */
function* rollBackFailed(id: number, intent: EditIntent, rollBack: RollBack): Steps<void> {
  try {
    yield* transaction(function* () {
      if (!(yield* get("SELECT 1 FROM intents WHERE id = ?", id))) return;
      rollBack(intent);
      yield* deleteIntent(id);
    });
  } catch {}
}

/** Rolls back each leftover intent; those that cannot be rolled back are kept. */
export function* recoverIntents(rollBack: RollBack): Steps<void> {
  if (!(yield* get("SELECT 1 FROM intents LIMIT 1"))) return;
  yield* transaction(function* () {
    for (const { id, intent } of yield* all<{ id: number; intent: string }>(
      ownIntents,
      hostname(),
    )) {
      // Rows are written by `runWithIntent` only.
      if (succeeds(() => rollBack(JSON.parse(intent) as EditIntent))) yield* deleteIntent(id);
    }
  });
}

/** The servers of one database may have different files, so each rolls back its own edits. */
const ownIntents = {
  sqlite: "SELECT id, intent FROM intents WHERE ?1 IS NOT NULL ORDER BY id DESC",
  postgres: `SELECT id, intent FROM intents WHERE intent::jsonb ->> 'host' = ?1 ORDER BY id DESC`,
};

function* insertIntent(intent: EditIntent): Steps<number> {
  return yield* transaction(function* () {
    const row = yield* get<{ id: number }>(
      "INSERT INTO intents (intent) VALUES (?) RETURNING id",
      JSON.stringify({ ...intent, host: hostname() }),
    );
    return row?.id ?? 0;
  });
}

function* deleteIntent(id: number): Steps<boolean> {
  return (yield* run("DELETE FROM intents WHERE id = ?", id)) > 0;
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
