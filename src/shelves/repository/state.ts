import type { House } from "../../kernel/house.ts";
import { type Analyses, openAnalyses } from "./analyses.ts";
import { openSymbolReader, type SymbolReader } from "./symbols/reader.ts";

/** What the shelf's operations work on. */
export interface RepositoryState extends House {
  readonly analyses: Analyses;
  /** What reads the public symbols of code. */
  readonly symbols: SymbolReader;
}

export const openRepository = (house: House): RepositoryState => ({
  ...house,
  analyses: openAnalyses(house),
  symbols: openSymbolReader(),
});
