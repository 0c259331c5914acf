import { createUniqueName } from "../files/hashes.ts";
import { derivedTables } from "../storage/migrations.ts";
import { get, run, type Steps, transaction } from "../storage/steps.ts";

/** The number of web pages open on a home, in all of its processes. */
export interface PageViewers {
  /** Reports the open pages of this process; must be repeated while there are any. */
  reportPages(pages: number): Steps<void>;
  count(): Steps<number>;
}

export const viewerTables = derivedTables(
  1,
  `CREATE TABLE viewers (
     process TEXT PRIMARY KEY,
     pages INTEGER NOT NULL,
     at INTEGER NOT NULL
   );`,
);

/** Reports expire after this time, for processes that were killed. */
const maxAgeMs = 40_000;

/** If the clock was set back, reports have future times and expire as well. */
const recentCondition = `abs(at - ?) <= ${maxAgeMs}`;

export function openPageViewers(now: () => number = Date.now): PageViewers {
  let process = "";
  return {
    reportPages(pages) {
      process ||= createUniqueName();
      return transaction(function* () {
        const outdated = `process = ? OR NOT ${recentCondition}`;
        yield* run(`DELETE FROM viewers WHERE ${outdated}`, process, now());
        if (pages === 0) return;
        const insert = "INSERT INTO viewers (process, pages, at) VALUES (?, ?, ?)";
        yield* run(insert, process, pages, now());
      });
    },
    *count() {
      const row = yield* get<{ pages: number | null }>(
        `SELECT CAST(sum(pages) AS bigint) AS pages FROM viewers WHERE ${recentCondition}`,
        now(),
      );
      return row?.pages ?? 0;
    },
  };
}
