import { Failure } from "../../../kernel/failure.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import {
  findBaselineRow,
  insertBaseline,
  latestBaselineRow,
  updateBaseline,
} from "../storage-baselines.ts";
import type { LocatedSymbol } from "../symbols/code-symbol.ts";

/**
 * The documentation and code to compare: the pages of one folder and the code of one repository.
 */
export interface DocsScope {
  /** The repository's real path. */
  root: string;
  /** The folder of the pages, relative to the repository; empty for all pages. */
  pages: string;
}

/** The symbols that the pages were last known to match. */
export interface Baseline {
  id: number;
  /** ISO 8601. */
  made: string;
  symbols: LocatedSymbol[];
}

const maxStored = 5;

export function* currentBaseline({ root, pages }: DocsScope): Steps<Baseline | undefined> {
  const row = yield* latestBaselineRow(root, pages);
  // Only the functions below write these rows.
  return row && { id: row.id, made: row.made, symbols: JSON.parse(row.symbols) as LocatedSymbol[] };
}

/** Inserts a new baseline. The previous one stays, so that it can be reinstated. */
export function createBaseline(
  { root, pages }: DocsScope,
  symbols: readonly LocatedSymbol[],
): Steps<number> {
  const row = { root, pages, made: new Date().toISOString(), symbols: JSON.stringify(symbols) };
  return transaction(() => insertBaseline(row, maxStored));
}

/**
 * Updates the symbols of the current baseline. Symbols that pages disagree with must be passed
 * unchanged.
 */
export const updateBaselineSymbols = ({
  id,
  symbols,
}: Pick<Baseline, "id" | "symbols">): Steps<void> => updateBaseline(id, JSON.stringify(symbols));

/**
 * Makes an earlier baseline current again by copying it. Returns the copy's id, the id of the
 * former current baseline, and the repository.
 */
export function* reinstateBaseline(
  id: number,
): Steps<{ id: number; former: number; root: string }> {
  const row = yield* findBaselineRow(id);
  if (!row) throw new Failure("conflict", "gone", `Baseline ${id} no longer exists.`);
  const { root, pages, symbols } = row;
  const former = (yield* latestBaselineRow(root, pages))?.id ?? id;
  const copy = { root, pages, made: new Date().toISOString(), symbols };
  return { id: yield* insertBaseline(copy, maxStored), former, root };
}
