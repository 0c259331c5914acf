import { groupBy } from "../../../text/arrays/group-by.ts";
import {
  type LineEdit,
  type LineReplacement,
  toLineEdits,
} from "../../../text/edits/line-edits.ts";
import type { DocumentationPage } from "../pages/documentation.ts";
import { isMemberSymbol, type LocatedSymbol, splitName } from "../symbols/code-symbol.ts";
import { findQuotedSignature } from "./quoted-signature.ts";
import type { SymbolChange } from "./symbol-diff.ts";
import type { SymbolReference, SymbolReferences } from "./symbol-references.ts";

/** A change of the code that pages do not reflect. */
export interface Drift {
  change: SymbolChange["change"];
  before: LocatedSymbol;
  after?: LocatedSymbol;
  /** Mentions of the old state on pages. */
  references: SymbolReference[];
  /** Mentions of it in decision records. */
  decisions: SymbolReference[];
  /** Edits that update the pages, as far as they can be derived. */
  replacements: (LineReplacement & { page: string })[];
}

/** The changes that pages do not reflect. */
export function findDrift(
  changes: readonly SymbolChange[],
  now: readonly LocatedSymbol[],
  pages: ReadonlyMap<string, DocumentationPage>,
  references: SymbolReferences,
): Drift[] {
  const names = new Set(now.map(({ name }) => name));
  return changes.flatMap((change): Drift[] => {
    const { before } = change;
    // The name is still valid: another file exports the same one.
    if (change.change !== "signature" && names.has(before.name)) return [];
    const mentions = [
      ...references.to(before),
      ...(change.change === "signature" ? [] : references.toMembersOf(before)),
    ];
    const current = mentions.filter(({ page }) => pages.get(page)?.tense === "now");
    const outdated =
      change.change === "signature" ? outdatedReferences(change, current, pages) : current;
    if (outdated.length === 0) return [];
    return [
      {
        ...change,
        references: outdated,
        decisions: mentions.filter(({ page }) => pages.get(page)?.tense === "decision"),
        replacements: findReplacements(change, outdated, pages),
      },
    ];
  });
}

/** Excludes pages that quote only the new signature: they are up to date. */
function outdatedReferences(
  change: SymbolChange,
  references: readonly SymbolReference[],
  pages: ReadonlyMap<string, DocumentationPage>,
): SymbolReference[] {
  if (change.change === "removed") return [...references];
  const quotes = (symbol: LocatedSymbol, reference: SymbolReference) =>
    findQuotedSignature(symbol, referenceLine(pages, reference), reference.start) !== undefined;
  const upToDate = [...groupBy(references, ({ page }) => page)].filter(([, onPage]) => {
    const certain = onPage.filter((one) => one.certain);
    return (
      certain.some((one) => quotes(change.after, one)) &&
      !certain.some((one) => quotes(change.before, one))
    );
  });
  const upToDatePages = new Set(upToDate.map(([page]) => page));
  return references.filter(({ page }) => !upToDatePages.has(page));
}

function findReplacements(
  change: SymbolChange,
  references: readonly SymbolReference[],
  pages: ReadonlyMap<string, DocumentationPage>,
): Drift["replacements"] {
  if (change.change === "removed") return [];
  const { before, after } = change;
  return references.flatMap((reference) => {
    const { page, line, start, certain } = reference;
    if (!certain) return [];
    if (change.change === "renamed") {
      const length = unqualifiedName(before).length;
      return [{ page, line, start, length, text: unqualifiedName(after) }];
    }
    const quoted = findQuotedSignature(before, referenceLine(pages, reference), start, after);
    return quoted ? [{ page, line, start, ...quoted }] : [];
  });
}

const referenceLine = (
  pages: ReadonlyMap<string, DocumentationPage>,
  { page, line }: SymbolReference,
): string => pages.get(page)?.lines[line - 1] ?? "";

const unqualifiedName = ({ name }: LocatedSymbol): string =>
  (splitName(name).at(-1) ?? "").replace(/[!?]$/, "");

/** The changes to the lines of one page. */
export interface PageEdit extends LineEdit {
  file: string;
}

/** The line edits of all replacements, page by page. */
export function driftEdits(
  drifts: readonly Drift[],
  pages: ReadonlyMap<string, DocumentationPage>,
): PageEdit[] {
  const all = drifts.flatMap(({ replacements }) => replacements);
  return [...groupBy(all, ({ page }) => page)].flatMap(([file, ofPage]) =>
    toLineEdits(pages.get(file)?.lines ?? [], ofPage).map((edit) => ({ file, ...edit })),
  );
}

/** The severity by how much a reader is misled. */
export function driftSeverity({ change, before }: Drift): "critical" | "high" | "medium" | "low" {
  if (change === "removed") return isMemberSymbol(before) ? "high" : "critical";
  return change === "renamed" ? "high" : "medium";
}

/** One sentence: what changed, and what to do about it. */
export function driftSuggestion({ change, before, after, replacements }: Drift): string {
  switch (change) {
    case "removed":
      return `${before.name} was removed: remove it from the pages, or say what to use instead.`;
    case "renamed":
      return `${before.name} is now ${after?.name ?? ""}: use the new name.`;
    case "signature":
      return replacements.length > 0
        ? `The signature of ${before.name} changed: quote the new one.`
        : `The signature of ${before.name} changed: check that the pages still describe its use correctly.`;
  }
}
