import type { House } from "../../kernel/house.ts";
import type { Index } from "../../kernel/index/contract.ts";
import { openIndex } from "../../kernel/index/sqlite.ts";
import { type Expansion, openExpansion } from "./expansion.ts";
import { type Meaning, openMeaning } from "./meaning.ts";

/** What the shelf's operations work on. */
export interface SearchState extends House {
  readonly index: Index;
  readonly meaning: Meaning;
  readonly expansion: Expansion;
}

export const openSearch = (house: House): SearchState => ({
  ...house,
  index: openIndex(house.db, "search"),
  meaning: openMeaning(house),
  expansion: openExpansion(house),
});
