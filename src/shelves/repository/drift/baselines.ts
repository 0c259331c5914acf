import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
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

export function currentBaseline(db: Database, { root, pages }: DocsScope): Baseline | undefined {
  const row = latestBaselineRow(db, root, pages);
  // Only the functions below write these rows.
  return row && { id: row.id, made: row.made, symbols: JSON.parse(row.symbols) as LocatedSymbol[] };
}

/** Inserts a new baseline. The previous one stays, so that it can be reinstated. */
export function createBaseline(
  db: Database,
  { root, pages }: DocsScope,
  symbols: readonly LocatedSymbol[],
): number {
  const made = new Date().toISOString();
  return insertBaseline(db, { root, pages, made, symbols: JSON.stringify(symbols) }, maxStored);
}

/**
 * Updates the symbols of the current baseline. Symbols that pages disagree with must be passed
 * unchanged.
 */
export function updateBaselineSymbols(
  db: Database,
  { id, symbols }: Pick<Baseline, "id" | "symbols">,
): void {
  updateBaseline(db, id, JSON.stringify(symbols));
}

/**
 * Makes an earlier baseline current again by copying it. Returns the copy's id, the id of the
 * former current baseline, and the repository.
 */
export function reinstateBaseline(
  db: Database,
  id: number,
): { id: number; former: number; root: string } {
  const row = findBaselineRow(db, id);
  if (!row) throw new Failure("conflict", "gone", `Baseline ${id} no longer exists.`);
  const { root, pages, symbols } = row;
  const former = latestBaselineRow(db, root, pages)?.id ?? id;
  const made = new Date().toISOString();
  return { id: insertBaseline(db, { root, pages, made, symbols }, maxStored), former, root };
}
