import type { Database } from "../storage/database.ts";
import type { SkippedFile } from "./scan-state.ts";

/**
 * The skipped files that were already reported. They are stored in the home, so that an unreadable
 * file causes one warning, not one per command.
 */
export interface SkipReports {
  /** The files that were not yet reported with this reason; marks them as reported. */
  takeNew(root: string, skipped: readonly SkippedFile[]): SkippedFile[];
  /** Forgets files that a complete scan no longer skips: if skipped again, they are reported again. */
  retainOnly(root: string, skipped: readonly SkippedFile[]): void;
  forget(root: string): void;
}

export const openSkipReports = (db: Database): SkipReports => {
  const reportedIn = (root: string): Map<string, string> => {
    const rows = db.all<SkippedFile>(
      "SELECT path, reason FROM reported_skips WHERE root = ?",
      root,
    );
    return new Map(rows.map(({ path, reason }) => [path, reason]));
  };
  const remove = (root: string, paths: readonly string[]): void => {
    db.run(
      "DELETE FROM reported_skips WHERE root = ? AND path IN (SELECT value FROM json_each(?))",
      root,
      JSON.stringify(paths),
    );
  };
  return {
    takeNew(root, skipped) {
      if (skipped.length === 0) return [];
      const reported = reportedIn(root);
      const added = skipped.filter(({ path, reason }) => reported.get(path) !== reason);
      if (added.length === 0) return [];
      db.run(
        `INSERT OR REPLACE INTO reported_skips (root, path, reason)
         SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)`,
        root,
        JSON.stringify(added.map(({ path, reason }) => [path.toWellFormed(), reason])),
      );
      return added;
    },
    retainOnly(root, skipped) {
      const current = new Set(skipped.map(({ path }) => path.toWellFormed()));
      const outdated = [...reportedIn(root).keys()].filter((path) => !current.has(path));
      if (outdated.length > 0) remove(root, outdated);
    },
    forget(root) {
      db.run("DELETE FROM reported_skips WHERE root = ?", root);
    },
  };
};
