import type { SearchIndex } from "../../index/search-index.ts";
import { all, get, run, type Steps, transaction } from "../../storage/steps.ts";
import { openIndexWriter } from "./index-change.ts";
import { openIndexSearch } from "./index-search.ts";
import type { StoredSegment } from "./index-state.ts";
import { mergeSegments, newStamp } from "./segment-merges.ts";

/**
 * The same index in PostgreSQL, with the same tables, lists and ranking as in SQLite. It differs in
 * how often it asks the database: see `openIndexSearch` and `openIndexWriter`.
 */
export function openPostgresIndex(shelf: string, titles: string): SearchIndex {
  const search = openIndexSearch(shelf, titles);
  const { change } = openIndexWriter(shelf);

  function* readSegments(): Steps<StoredSegment[]> {
    return yield* all(
      `SELECT id, first_passage AS "firstPassage", postings, buckets FROM ${shelf}_segments ORDER BY id`,
    );
  }

  /** Words and lists were deleted, so that none that a process knows are valid. */
  function* renewStamps(): Steps<void> {
    for (const stamp of ["postings_stamp", "vocabulary_stamp"]) {
      yield* run(`UPDATE ${shelf}_${stamp} SET stamp = ?`, newStamp());
    }
  }

  return {
    change,
    match: search.match,
    rank: search.rank,
    *compact() {
      yield* transaction(function* () {
        const segments = yield* readSegments();
        const terms = segments.length > 0 ? yield* mergeSegments(shelf, segments, true) : [];
        yield* run(
          `DELETE FROM ${shelf}_vocabulary AS word WHERE NOT EXISTS (
             SELECT FROM json_array_elements_text(?::json) AS term WHERE term.value = word.token)`,
          JSON.stringify(terms),
        );
        yield* renewStamps();
      });
    },
    *removeOrphans() {
      yield* run(
        `DELETE FROM ${shelf}_passages AS passage
          WHERE NOT EXISTS (SELECT FROM ${shelf}_entries AS entry WHERE entry.document = passage.document)`,
      );
    },
    *clear() {
      yield* transaction(function* () {
        const tables = [
          "segments",
          "postings",
          "positions",
          "removed",
          "vocabulary",
          "passages",
          "entries",
        ];
        for (const table of tables) yield* run(`DELETE FROM ${shelf}_${table}`);
        yield* run(`UPDATE ${shelf}_totals SET passages = 0, tokens = 0`);
        yield* renewStamps();
      });
    },
    *count() {
      const row = yield* get<{ passages: number }>(`SELECT passages FROM ${shelf}_totals`);
      return row?.passages ?? 0;
    },
  };
}
