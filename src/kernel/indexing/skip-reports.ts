import { all, insertAll, inTexts, run, type Steps, transaction } from "../storage/steps.ts";
import type { SkippedFile } from "./scan-state.ts";

/**
 * The skipped files that were already reported. They are stored in the home, so that an unreadable
 * file causes one warning, not one per command.
 */
export interface SkipReports {
  /** The files that were not yet reported with this reason; marks them as reported. */
  takeNew(root: string, skipped: readonly SkippedFile[]): Steps<SkippedFile[]>;
  /** Forgets files that a complete scan no longer skips: if skipped again, they are reported again. */
  retainOnly(root: string, skipped: readonly SkippedFile[]): Steps<void>;
  forget(root: string): Steps<void>;
}

export const openSkipReports = (): SkipReports => ({
  *takeNew(root, skipped) {
    if (skipped.length === 0) return [];
    const reported = yield* reportedIn(root);
    const added = skipped.filter(({ path, reason }) => reported.get(path) !== reason);
    if (added.length === 0) return [];
    const reasons = new Map(added.map(({ path, reason }) => [path.toWellFormed(), reason]));
    yield* transaction(function* () {
      yield* remove(root, [...reasons.keys()]);
      yield* insertAll(
        "INSERT INTO reported_skips (root, path, reason)",
        [...reasons].map(([path, reason]) => [root, path, reason]),
      );
    });
    return added;
  },
  *retainOnly(root, skipped) {
    const current = new Set(skipped.map(({ path }) => path.toWellFormed()));
    const outdated = [...(yield* reportedIn(root)).keys()].filter((path) => !current.has(path));
    if (outdated.length > 0) yield* remove(root, outdated);
  },
  *forget(root) {
    yield* run("DELETE FROM reported_skips WHERE root = ?", root);
  },
});

function* reportedIn(root: string): Steps<Map<string, string>> {
  const rows = yield* all<SkippedFile>(
    "SELECT path, reason FROM reported_skips WHERE root = ?",
    root,
  );
  return new Map(rows.map(({ path, reason }) => [path, reason]));
}

function* remove(root: string, paths: readonly string[]): Steps<void> {
  yield* run(
    `DELETE FROM reported_skips WHERE root = ? AND path ${inTexts("?")}`,
    root,
    JSON.stringify(paths),
  );
}
