import { sha256Hex } from "../../kernel/files/hashes.ts";
import { get, run, type Steps } from "../../kernel/storage/steps.ts";

/** Whether an agent wrote this file and it has not changed since. */
export function* isUnchangedAgentFile(path: string, text: string): Steps<boolean> {
  const row = yield* get(
    "SELECT 1 FROM repository_written WHERE path = ? AND digest = ?",
    path,
    sha256Hex(text),
  );
  return row !== undefined;
}

export function* recordAgentFile(path: string, text: string): Steps<void> {
  yield* run(
    `INSERT INTO repository_written (path, digest) VALUES (?, ?)
       ON CONFLICT (path) DO UPDATE SET digest = excluded.digest`,
    path,
    sha256Hex(text),
  );
}
