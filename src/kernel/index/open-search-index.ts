import { openPostgresIndex } from "../postgres/index/postgres-index.ts";
import type { Database } from "../storage/database.ts";
import { direct } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import { tableOwners, tableTitles } from "./passage-owners.ts";
import type { SearchIndex } from "./search-index.ts";
import { openSqliteIndex } from "./sqlite-index.ts";

/** Opens the index of a shelf in the home's store. `titles` is a table with each document's title. */
export function openSearchIndex(
  { store, db }: { store: Store; db: Database },
  shelf: string,
  titles: string,
): SearchIndex {
  if (store.dialect === "postgres") return openPostgresIndex(shelf, titles);
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
