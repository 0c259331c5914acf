import type { Database } from "./database.ts";
import { uniqueName } from "./hashing.ts";
import { derived } from "./tables.ts";

/** The pages that are open over a home, in all of its processes: who sees what a notice shows. */
export interface Viewers {
  /** How many this process has open; to be said again and again while there are any. */
  note(pages: number): void;
  count(): number;
}

export const viewerTables = derived(
  1,
  `CREATE TABLE viewers (
     process TEXT PRIMARY KEY,
     pages INTEGER NOT NULL,
     at INTEGER NOT NULL
   );`,
);

/** A process that ended without a word is believed in for so long. */
const lastsMs = 40_000;

/** Where the clock has gone back, what was said before it did lies in the future and is as stale. */
const isRecent = `abs(at - ?) <= ${lastsMs}`;

export function openViewers(db: Database, now: () => number = Date.now): Viewers {
  let process = "";
  return {
    note(pages) {
      process ||= uniqueName();
      db.transaction(() => {
        db.run(`DELETE FROM viewers WHERE process = ? OR NOT ${isRecent}`, process, now());
        if (pages === 0) return;
        db.run("INSERT INTO viewers (process, pages, at) VALUES (?, ?, ?)", process, pages, now());
      });
    },
    count: () =>
      db.get<{ pages: number | null }>(
        `SELECT sum(pages) AS pages FROM viewers WHERE ${isRecent}`,
        now(),
      )?.pages ?? 0,
  };
}
