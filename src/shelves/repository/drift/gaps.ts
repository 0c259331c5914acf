import { openTimeSlice } from "../../../kernel/processes/time-slice.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { classifyDiataxis, type DiataxisType } from "../../../text/software/diataxis.ts";
import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import type { DocumentationPage } from "../pages/documentation.ts";
import {
  isMemberSymbol,
  type LocatedSymbol,
  ownerName,
  symbolKey,
} from "../symbols/code-symbol.ts";
import type { SymbolReference, SymbolReferences } from "./symbol-references.ts";

export const gapDepths = ["quick", "standard", "comprehensive"] as const;

export type GapDepth = (typeof gapDepths)[number];

/** A public symbol that no page mentions, or that has no comment at its declaration. */
export interface Gap {
  symbol: LocatedSymbol;
  gapType: "undocumented" | "uncommented";
  priority: "high" | "medium" | "low";
  /** The page that should document it, and whether it exists. */
  page: { file: string; exists: boolean };
  /** The number of its undocumented members. */
  members: number;
  /** Mentions of it in decision records. */
  decisions: SymbolReference[];
}

export interface GapReport {
  gaps: Gap[];
  /** Counted among the symbols in scope. */
  documented: number;
  total: number;
  /** Number of pages by guessed kind. */
  pages: Record<DiataxisType, number>;
}

/** Finds undocumented symbols. New pages are suggested in `docsFolder`. */
export async function findGaps(
  symbols: readonly LocatedSymbol[],
  pages: ReadonlyMap<string, DocumentationPage>,
  references: SymbolReferences,
  { depth, docsFolder }: { depth: GapDepth; docsFolder: string },
): Promise<GapReport> {
  const types = await classifyPages(pages);
  const referencesBySymbol = new Map(
    symbols.map((symbol) => [symbol, references.to(symbol).filter(({ page }) => types.has(page))]),
  );
  const documentedNames = new Set(
    symbols.filter((one) => referencesBySymbol.get(one)?.length).map(symbolKey),
  );
  const inScope = symbols.filter((symbol) => isInScope(symbol, depth));
  const isDocumented = (symbol: LocatedSymbol) => documentedNames.has(symbolKey(symbol));
  const missing = inScope.filter((symbol) => !isDocumented(symbol));
  // Members of an undocumented owner are reported with it.
  const owners = new Set(missing.map(symbolKey));
  const isReported = (symbol: LocatedSymbol) => !owners.has(ownerKey(symbol));
  const byOwner = groupBy(missing, ownerKey);
  const pageFor = createPageChooser(referencesBySymbol, types, docsFolder);
  const gapOf = (symbol: LocatedSymbol, gapType: Gap["gapType"]): Gap => ({
    symbol,
    gapType,
    priority: gapType === "uncommented" ? "low" : gapPriority(symbol),
    page: pageFor(symbol),
    members: byOwner.get(symbolKey(symbol))?.length ?? 0,
    decisions: references.to(symbol).filter(({ page }) => pages.get(page)?.tense === "decision"),
  });
  const uncommented =
    depth === "comprehensive" ? inScope.filter((one) => isDocumented(one) && !one.documented) : [];
  const gaps = [
    ...missing.filter(isReported).map((symbol) => gapOf(symbol, "undocumented")),
    ...uncommented.map((symbol) => gapOf(symbol, "uncommented")),
  ];
  const rank = { high: 0, medium: 1, low: 2 };
  const pageCounts = { tutorial: 0, "how-to": 0, reference: 0, explanation: 0 };
  for (const type of types.values()) if (type !== "unknown") pageCounts[type]++;
  return {
    // The sort is stable: equal priorities stay in order of file and line.
    gaps: gaps.sort((a, b) => rank[a.priority] - rank[b.priority]),
    documented: inScope.length - missing.length,
    total: inScope.length,
    pages: pageCounts,
  };
}

/** Classifies the pages that describe the current state. */
async function classifyPages(
  pages: ReadonlyMap<string, DocumentationPage>,
): Promise<Map<string, DiataxisType | "unknown">> {
  const types = new Map<string, DiataxisType | "unknown">();
  const timeSlice = openTimeSlice();
  for (const [file, { lines, tense }] of pages) {
    if (timeSlice.isOver()) await timeSlice.pass();
    if (tense === "now") types.set(file, classifyDiataxis(file, lines).type);
  }
  return types;
}

/** Greater depths include more kinds of symbols. */
function isInScope(symbol: LocatedSymbol, depth: GapDepth): boolean {
  switch (symbol.kind) {
    case "property":
      return false;
    case "method":
      return depth !== "quick";
    case "constant":
    case "type":
    case "enum":
      return depth === "comprehensive";
    default:
      return true;
  }
}

/** The key of a member's owner; for other symbols that of their file. */
const ownerKey = (symbol: LocatedSymbol): string =>
  symbolKey({ file: symbol.file, name: isMemberSymbol(symbol) ? ownerName(symbol.name) : "" });

/** Symbols of entry files come first. */
function gapPriority(symbol: LocatedSymbol): Gap["priority"] {
  if (isMemberSymbol(symbol) || ["constant", "type", "enum"].includes(symbol.kind)) return "low";
  const isEntry = /^(index|main|lib|mod|__init__|api|public)\.\w+$/.test(baseNameOf(symbol.file));
  return isEntry || parentFolder(symbol.file) === "" ? "high" : "medium";
}

/**
 * Chooses the page for a symbol: the one with most mentions of its owner, its file or its folder;
 * else a page with the file's name; else a new reference page.
 */
function createPageChooser(
  referencesBySymbol: ReadonlyMap<LocatedSymbol, readonly SymbolReference[]>,
  types: ReadonlyMap<string, string>,
  docsFolder: string,
): (symbol: LocatedSymbol) => Gap["page"] {
  const tallies = new Map<string, Map<string, number>>();
  const add = (key: string, page: string) => {
    const tally = tallies.get(key) ?? new Map<string, number>();
    tallies.set(key, tally);
    // Prefers reference pages.
    tally.set(page, (tally.get(page) ?? 0) + (types.get(page) === "reference" ? 2 : 1));
  };
  for (const [symbol, references] of referencesBySymbol) {
    for (const { page } of references) {
      add(symbolKey(symbol), page);
      add(symbolKey({ file: symbol.file, name: "" }), page);
      if (parentFolder(symbol.file) !== "") add(parentFolder(symbol.file), page);
    }
  }
  const bestPages = new Map([...tallies].map(([key, tally]) => [key, mostReferenced(tally)]));
  const stems = new Map([...types.keys()].map((file) => [stemOf(file), file]));
  return (symbol) => {
    const { file } = symbol;
    const keys = [ownerKey(symbol), symbolKey({ file, name: "" }), parentFolder(file)];
    const [best] = keys.flatMap((key) => bestPages.get(key) ?? []);
    const existing = best ?? stems.get(stemOf(file));
    if (existing) return { file: existing, exists: true };
    const name = moduleNameOf(file);
    return {
      file: [docsFolder, "reference", `${name}.md`].filter(Boolean).join("/"),
      exists: false,
    };
  };
}

/** The page with the highest count; of equal ones the first. */
const mostReferenced = (tally: ReadonlyMap<string, number>): string =>
  [...tally].reduce((best, other) => (other[1] > best[1] ? other : best), ["", 0])[0];

const stemOf = (file: string): string => baseNameOf(file).replace(/\..*$/, "").toLowerCase();

/** A file that only re-exports its folder has the folder's name. */
function moduleNameOf(file: string): string {
  const stem = baseNameOf(file).replace(/\..*$/, "");
  const isReexport = /^(index|main|lib|mod|__init__)$/.test(stem);
  return (isReexport && baseNameOf(parentFolder(file))) || stem;
}
