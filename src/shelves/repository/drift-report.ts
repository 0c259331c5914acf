import { type Baseline, baselineOf, carryOn, makeBaseline, type Subject } from "./baselines.ts";
import { codeAndPages } from "./code-and-pages.ts";
import type { DocumentationPage } from "./documentation.ts";
import { type Drift, driftOf } from "./drift.ts";
import type { Telling } from "./long-work.ts";
import { openReferences } from "./references.ts";
import type { RepositoryState } from "./state.ts";
import type { Survey } from "./survey.ts";
import { changesBetween } from "./symbol-changes.ts";
import type { OfferedSymbols } from "./symbols/offered.ts";
import { keyOf, type PlacedSymbol } from "./symbols/symbol.ts";

/** How the pages stand to the code, compared with what they last agreed with. */
export interface DriftReport {
  /** Nothing where there is none yet and none was to be made. */
  baseline: Pick<Baseline, "id" | "made"> | undefined;
  /** True where there was nothing to compare with. */
  isFirst: boolean;
  drifts: Drift[];
  pages: ReadonlyMap<string, DocumentationPage>;
  offered: OfferedSymbols;
  /** Where the time was over. */
  stopped_at?: string;
}

/**
 * Looks at the code and the pages. The baseline keeps what pages disagree with as it was, until a
 * person accepts it; whatever no page speaks of is taken over at once, since nobody is misled.
 */
export async function driftNow(
  state: RepositoryState,
  subject: Subject,
  { keeps }: { keeps: boolean },
  call: Telling,
): Promise<DriftReport> {
  const { survey, ...looked } = await codeAndPages(state, subject, call);
  const { pages, offered, stopped_at } = looked;
  const mayKeep = keeps && stopped_at === undefined;

  const baseline = baselineOf(state.db, subject);
  if (!baseline) {
    const id = mayKeep ? makeBaseline(state.db, subject, offered.symbols) : undefined;
    const made = { id: id ?? 0, made: new Date().toISOString() };
    return { ...looked, baseline: id === undefined ? undefined : made, isFirst: true, drifts: [] };
  }
  const before = comparable(baseline.symbols, survey, offered);
  const changes = changesBetween(before, offered.symbols);
  const references = openReferences(pages.values(), subject.root, [...before, ...offered.symbols]);
  const drifts = driftOf(changes, offered.symbols, pages, references);
  if (mayKeep) {
    const compared = new Set(before);
    const unseen = baseline.symbols.filter((symbol) => !compared.has(symbol));
    carryOn(state.db, {
      id: baseline.id,
      symbols: [...unseen, ...carried(drifts, offered.symbols)],
    });
  }
  return { ...looked, baseline, isFirst: false, drifts };
}

/** Of files that could not be read, or were not reached, nothing is known. */
function comparable(
  before: readonly PlacedSymbol[],
  survey: Survey,
  { problems, stopped_at }: OfferedSymbols,
): PlacedSymbol[] {
  const unread = new Set(problems.map(({ file }) => file));
  const seen =
    survey.stoppedAt === undefined ? undefined : new Set(survey.files.map(({ path }) => path));
  return before.filter(
    ({ file }) =>
      !unread.has(file) &&
      (seen?.has(file) ?? true) &&
      (stopped_at === undefined || file < stopped_at),
  );
}

/** The symbols as they are, save those that pages know otherwise. */
function carried(drifts: readonly Drift[], now: readonly PlacedSymbol[]): PlacedSymbol[] {
  const disputed = new Set(drifts.map(({ after }) => after));
  return [...drifts.map(({ before }) => before), ...now.filter((one) => !disputed.has(one))];
}

/** The symbols that the pages agree with once these changes are accepted. */
export function accepted(
  baseline: readonly PlacedSymbol[],
  drifts: readonly Drift[],
): PlacedSymbol[] {
  const taken = drifts.flatMap(({ after }) => after ?? []);
  const replaced = new Set([...drifts.map(({ before }) => before), ...taken].map(keyOf));
  return [...baseline.filter((symbol) => !replaced.has(keyOf(symbol))), ...taken];
}
