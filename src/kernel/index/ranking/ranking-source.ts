import type { FindPassageOwners } from "../passage-owners.ts";
import type { SpellingSource } from "../spelling.ts";
import type { PassageRange, PositionSource } from "./phrase-filter.ts";
import type { PostingSource } from "./query-terms.ts";
import type { IndexTotals } from "./ranking.ts";
import type { FindTitles } from "./titles.ts";

/** What ranking reads from an index, wherever it is stored. */
export interface RankingSource extends PostingSource, PositionSource {
  totals: IndexTotals;
  vocabulary: SpellingSource;
  owners: FindPassageOwners;
  titlesOf: FindTitles;
  passagesOf(document: number): PassageRange;
  /** The least number of passages whose owners are looked up at once, if look-ups are slow. */
  ownersPerLookup?: number;
  /** Called with the passages whose owners are probably looked up next. */
  expectOwners?(passages: readonly number[]): void;
}
