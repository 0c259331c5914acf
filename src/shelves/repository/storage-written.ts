import { sha256Hex } from "../../kernel/files/hashes.ts";
import type { Database } from "../../kernel/storage/database.ts";

/** Whether an agent wrote this file and it has not changed since. */
export const isUnchangedAgentFile = (db: Database, path: string, text: string): boolean =>
  db.get(
    "SELECT 1 FROM repository_written WHERE path = ? AND digest = ?",
    path,
    sha256Hex(text),
  ) !== undefined;

export function recordAgentFile(db: Database, path: string, text: string): void {
  db.run(
    `INSERT INTO repository_written (path, digest) VALUES (?, ?)
       ON CONFLICT (path) DO UPDATE SET digest = excluded.digest`,
    path,
    sha256Hex(text),
  );
}
