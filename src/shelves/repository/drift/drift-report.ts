import type { DocumentationPage } from "../pages/documentation.ts";
import type { TaskContext } from "../progress.ts";
import type { FileInventory } from "../repo/file-inventory.ts";
import type { RepositoryState } from "../state.ts";
import { type LocatedSymbol, symbolKey } from "../symbols/code-symbol.ts";
import type { SymbolScan } from "../symbols/symbol-scan.ts";
import {
  type Baseline,
  createBaseline,
  currentBaseline,
  type DocsScope,
  updateBaselineSymbols,
} from "./baselines.ts";
import { readCodeAndDocs } from "./code-and-docs.ts";
import { type Drift, findDrift } from "./drift.ts";
import { diffSymbols } from "./symbol-diff.ts";
import { createSymbolReferences } from "./symbol-references.ts";

/** The differences between the pages and the code since the baseline. */
export interface DriftReport {
  /** Undefined if there is none and none was to be created. */
  baseline: Pick<Baseline, "id" | "made"> | undefined;
  /** True if there was no baseline to compare with. */
  isFirstRun: boolean;
  drifts: Drift[];
  pages: ReadonlyMap<string, DocumentationPage>;
  codeScan: SymbolScan;
  /** Where a timeout stopped the scan. */
  stopped_at?: string;
}

/**
 * Scans code and pages and compares them with the baseline. Symbols that pages disagree with keep
 * their old state in the baseline until a person accepts the change; symbols that no page mentions
 * are updated immediately, because no page is outdated.
 */
export async function detectDrift(
  state: RepositoryState,
  subject: DocsScope,
  { savesBaseline }: { savesBaseline: boolean },
  call: TaskContext,
): Promise<DriftReport> {
  const { inventory, ...scanned } = await readCodeAndDocs(state, subject, call);
  const { pages, codeScan, stopped_at } = scanned;
  const canSave = savesBaseline && stopped_at === undefined;

  const { store } = state;
  const baseline = await store.run(currentBaseline(subject));
  if (!baseline) {
    const id = canSave ? await store.run(createBaseline(subject, codeScan.symbols)) : undefined;
    const created = { id: id ?? 0, made: new Date().toISOString() };
    return {
      ...scanned,
      baseline: id === undefined ? undefined : created,
      isFirstRun: true,
      drifts: [],
    };
  }
  const before = comparableSymbols(baseline.symbols, inventory, codeScan);
  const changes = diffSymbols(before, codeScan.symbols);
  const references = createSymbolReferences(pages.values(), subject.root, [
    ...before,
    ...codeScan.symbols,
  ]);
  const drifts = findDrift(changes, codeScan.symbols, pages, references);
  if (canSave) {
    const compared = new Set(before);
    const notCompared = baseline.symbols.filter((symbol) => !compared.has(symbol));
    const symbols = [...notCompared, ...carriedSymbols(drifts, codeScan.symbols)];
    await store.run(updateBaselineSymbols({ id: baseline.id, symbols }));
  }
  return { ...scanned, baseline, isFirstRun: false, drifts };
}

/** Excludes symbols of files that could not be read or were not reached. */
function comparableSymbols(
  before: readonly LocatedSymbol[],
  inventory: FileInventory,
  { problems, stopped_at }: SymbolScan,
): LocatedSymbol[] {
  const unreadable = new Set(problems.map(({ file }) => file));
  const scannedFiles =
    inventory.stoppedAt === undefined
      ? undefined
      : new Set(inventory.files.map(({ path }) => path));
  return before.filter(
    ({ file }) =>
      !unreadable.has(file) &&
      (scannedFiles?.has(file) ?? true) &&
      (stopped_at === undefined || file < stopped_at),
  );
}

/** The current symbols, with the old state of those that pages still describe. */
function carriedSymbols(drifts: readonly Drift[], now: readonly LocatedSymbol[]): LocatedSymbol[] {
  const disputed = new Set(drifts.map(({ after }) => after));
  return [...drifts.map(({ before }) => before), ...now.filter((one) => !disputed.has(one))];
}

/** The symbols of the baseline after accepting these changes. */
export function symbolsAfterAccepting(
  baseline: readonly LocatedSymbol[],
  drifts: readonly Drift[],
): LocatedSymbol[] {
  const accepted = drifts.flatMap(({ after }) => after ?? []);
  const replaced = new Set([...drifts.map(({ before }) => before), ...accepted].map(symbolKey));
  return [...baseline.filter((symbol) => !replaced.has(symbolKey(symbol))), ...accepted];
}
