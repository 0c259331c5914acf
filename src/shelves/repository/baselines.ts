import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { baselineById, baselineFor, insertBaseline, updateBaseline } from "./storage-baselines.ts";
import type { PlacedSymbol } from "./symbols/symbol.ts";

/** What a documentation is about: pages of one folder, on the code of one repository. */
export interface Subject {
  /** The repository's real path. */
  root: string;
  /** The folder of the pages, relative to the repository; empty for all of them. */
  pages: string;
}

/** The symbols that the pages were last known to agree with. */
export interface Baseline {
  id: number;
  /** ISO 8601. */
  made: string;
  symbols: PlacedSymbol[];
}

const mostKept = 5;

export function baselineOf(db: Database, { root, pages }: Subject): Baseline | undefined {
  const row = baselineFor(db, root, pages);
  // Only the functions below write rows.
  return row && { id: row.id, made: row.made, symbols: JSON.parse(row.symbols) as PlacedSymbol[] };
}

/** Makes a new baseline; the one before stays, to go back to. */
export function makeBaseline(
  db: Database,
  { root, pages }: Subject,
  symbols: readonly PlacedSymbol[],
): number {
  const made = new Date().toISOString();
  return insertBaseline(db, { root, pages, made, symbols: JSON.stringify(symbols) }, mostKept);
}

/** Carries on the baseline that holds; what the pages disagree with must stay as it was. */
export function carryOn(db: Database, { id, symbols }: Pick<Baseline, "id" | "symbols">): void {
  updateBaseline(db, id, JSON.stringify(symbols));
}

/** Lets an earlier baseline hold again; gives its new number, that of the one before, and where. */
export function bringBack(db: Database, id: number): { id: number; former: number; root: string } {
  const row = baselineById(db, id);
  if (!row) throw new Failure("conflict", "gone", `Baseline ${id} is no longer kept.`);
  const { root, pages, symbols } = row;
  const former = baselineFor(db, root, pages)?.id ?? id;
  const made = new Date().toISOString();
  return { id: insertBaseline(db, { root, pages, made, symbols }, mostKept), former, root };
}
