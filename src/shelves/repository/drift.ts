import { groupedBy } from "../../text/grouped.ts";
import { type LineEdit, lineEditsOf, type Replacement } from "../../text/line-edits.ts";
import type { DocumentationPage } from "./documentation.ts";
import { quotedSignature } from "./quoted-signature.ts";
import type { Reference, References } from "./references.ts";
import type { SymbolChange } from "./symbol-changes.ts";
import { isMember, type PlacedSymbol, stepsOf } from "./symbols/symbol.ts";

/** A change of the code that pages do not know of. */
export interface Drift {
  change: SymbolChange["change"];
  before: PlacedSymbol;
  after?: PlacedSymbol;
  /** Where pages still speak of what was before. */
  references: Reference[];
  /** Where decision records do. */
  decisions: Reference[];
  /** What would bring the pages up to date, as far as that can be told. */
  replacements: (Replacement & { page: string })[];
}

/** The changes that pages disagree with. */
export function driftOf(
  changes: readonly SymbolChange[],
  now: readonly PlacedSymbol[],
  pages: ReadonlyMap<string, DocumentationPage>,
  references: References,
): Drift[] {
  const names = new Set(now.map(({ name }) => name));
  return changes.flatMap((change): Drift[] => {
    const { before } = change;
    // The name still leads somewhere: another file offers the same.
    if (change.change !== "signature" && names.has(before.name)) return [];
    const spoken = [
      ...references.of(before),
      ...(change.change === "signature" ? [] : references.throughIt(before)),
    ];
    const told = spoken.filter(({ page }) => pages.get(page)?.tense === "now");
    const open = change.change === "signature" ? unsettled(change, told, pages) : told;
    if (open.length === 0) return [];
    return [
      {
        ...change,
        references: open,
        decisions: spoken.filter(({ page }) => pages.get(page)?.tense === "decision"),
        replacements: replacementsFor(change, open, pages),
      },
    ];
  });
}

/** A page that quotes the new signature, and nowhere the old one, has been brought up to date. */
function unsettled(
  change: SymbolChange,
  references: readonly Reference[],
  pages: ReadonlyMap<string, DocumentationPage>,
): Reference[] {
  if (change.change === "removed") return [...references];
  const quotes = (symbol: PlacedSymbol, reference: Reference) =>
    quotedSignature(symbol, lineOf(pages, reference), reference.start) !== undefined;
  const settled = [...groupedBy(references, ({ page }) => page)].filter(([, onPage]) => {
    const certain = onPage.filter((one) => one.certain);
    return (
      certain.some((one) => quotes(change.after, one)) &&
      !certain.some((one) => quotes(change.before, one))
    );
  });
  const done = new Set(settled.map(([page]) => page));
  return references.filter(({ page }) => !done.has(page));
}

function replacementsFor(
  change: SymbolChange,
  references: readonly Reference[],
  pages: ReadonlyMap<string, DocumentationPage>,
): Drift["replacements"] {
  if (change.change === "removed") return [];
  const { before, after } = change;
  return references.flatMap((reference) => {
    const { page, line, start, certain } = reference;
    if (!certain) return [];
    if (change.change === "renamed") {
      const length = ownName(before).length;
      return [{ page, line, start, length, text: ownName(after) }];
    }
    const quoted = quotedSignature(before, lineOf(pages, reference), start, after);
    return quoted ? [{ page, line, start, ...quoted }] : [];
  });
}

const lineOf = (pages: ReadonlyMap<string, DocumentationPage>, { page, line }: Reference): string =>
  pages.get(page)?.lines[line - 1] ?? "";

const ownName = ({ name }: PlacedSymbol): string =>
  (stepsOf(name).at(-1) ?? "").replace(/[!?]$/, "");

/** A page and the lines that are to change on it. */
export interface PageEdit extends LineEdit {
  file: string;
}

/** What all these would change on the pages. */
export function editsFor(
  drifts: readonly Drift[],
  pages: ReadonlyMap<string, DocumentationPage>,
): PageEdit[] {
  const all = drifts.flatMap(({ replacements }) => replacements);
  return [...groupedBy(all, ({ page }) => page)].flatMap(([file, ofPage]) =>
    lineEditsOf(pages.get(file)?.lines ?? [], ofPage).map((edit) => ({ file, ...edit })),
  );
}

/** How much a reader is misled. */
export function severityOf({ change, before }: Drift): "critical" | "high" | "medium" | "low" {
  if (change === "removed") return isMember(before) ? "high" : "critical";
  return change === "renamed" ? "high" : "medium";
}

/** One sentence: what happened, and what to do about it. */
export function suggestionFor({ change, before, after, replacements }: Drift): string {
  switch (change) {
    case "removed":
      return `${before.name} is gone: take it off the pages, or say what to use in its place.`;
    case "renamed":
      return `${before.name} is now ${after?.name ?? ""}: use the new name.`;
    case "signature":
      return replacements.length > 0
        ? `The signature of ${before.name} changed: quote the new one.`
        : `The signature of ${before.name} changed: look whether the pages still say how it is used.`;
  }
}
