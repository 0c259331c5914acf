import type { Database } from "../storage/database.ts";
import { direct } from "../storage/steps.ts";
import { tableOwners, tableTitles } from "./passage-owners.ts";
import type { SearchIndex } from "./search-index.ts";
import { openSqliteIndex } from "./sqlite-index.ts";

/** `titles` is a table with the title of each document. */
export function openSearchIndex(db: Database, shelf: string, titles: string): SearchIndex {
  const index = openSqliteIndex(db, shelf, tableOwners(db, shelf), tableTitles(db, titles));
  return {
    change: (work) => direct(() => index.change(work)),
    match: (query, options) => direct(() => index.match(query, options)),
    rank: (query) => direct(() => index.rank(query)),
    compact: () => direct(index.compact),
    removeOrphans: () => direct(index.removeOrphans),
    clear: () => direct(index.clear),
    count: () => direct(index.count),
  };
}
