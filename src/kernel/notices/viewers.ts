import { createUniqueName } from "../files/hashes.ts";
import type { Database } from "../storage/database.ts";
import { derivedTables } from "../storage/migrations.ts";

/** The number of web pages open on a home, in all of its processes. */
export interface PageViewers {
  /** Reports the open pages of this process; must be repeated while there are any. */
  reportPages(pages: number): void;
  count(): number;
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

export function openPageViewers(db: Database, now: () => number = Date.now): PageViewers {
  let process = "";
  return {
    reportPages(pages) {
      process ||= createUniqueName();
      db.transaction(() => {
        db.run(`DELETE FROM viewers WHERE process = ? OR NOT ${recentCondition}`, process, now());
        if (pages === 0) return;
        db.run("INSERT INTO viewers (process, pages, at) VALUES (?, ?, ?)", process, pages, now());
      });
    },
    count: () =>
      db.get<{ pages: number | null }>(
        `SELECT sum(pages) AS pages FROM viewers WHERE ${recentCondition}`,
        now(),
      )?.pages ?? 0,
  };
}
