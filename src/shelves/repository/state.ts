import type { Runtime } from "../../kernel/runtime/runtime.ts";
import { type AnalysisStore, createAnalysisStore } from "./analysis/analysis-store.ts";
import { createSymbolReader, type SymbolReader } from "./symbols/symbol-reader.ts";

type Services = Pick<
  Runtime,
  | "boundary"
  | "changes"
  | "config"
  | "documents"
  | "performByName"
  | "privateFiles"
  | "proposals"
  | "settings"
  | "store"
>;

/** The state of the shelf's operations. */
export interface RepositoryState extends Omit<Services, "privateFiles"> {
  readonly analyses: AnalysisStore;
  /** Reads the public symbols of code. */
  readonly symbols: SymbolReader;
}

export const openRepository = ({
  boundary,
  changes,
  config,
  documents,
  performByName,
  privateFiles,
  proposals,
  settings,
  store,
}: Services): RepositoryState => ({
  boundary,
  changes,
  config,
  documents,
  performByName,
  proposals,
  settings,
  store,
  analyses: createAnalysisStore({ boundary, privateFiles }),
  symbols: createSymbolReader(),
});
