import { type DiataxisType, diataxisOf } from "../../text/diataxis.ts";
import { groupedBy } from "../../text/grouped.ts";
import type { DocumentationPage } from "./documentation.ts";
import { folderOf, nameOf } from "./folders.ts";
import type { Reference, References } from "./references.ts";
import { isMember, keyOf, ownerNameOf, type PlacedSymbol } from "./symbols/symbol.ts";
import { openTurn } from "./turn.ts";

export const gapDepths = ["quick", "standard", "comprehensive"] as const;

export type GapDepth = (typeof gapDepths)[number];

/** A public symbol that no page speaks of, or that has no comment where it is declared. */
export interface Gap {
  symbol: PlacedSymbol;
  gapType: "undocumented" | "uncommented";
  priority: "high" | "medium" | "low";
  /** The page that should speak of it, and whether there is one already. */
  page: { file: string; exists: boolean };
  /** How many members of it are undocumented with it. */
  members: number;
  /** Where decision records speak of it. */
  decisions: Reference[];
}

export interface GapReport {
  gaps: Gap[];
  /** Of the symbols that were asked about. */
  documented: number;
  total: number;
  /** Pages by what kind of documentation they seem to be. */
  pages: Record<DiataxisType, number>;
}

/** Finds what is not documented. `docsFolder` is where a new page would go. */
export async function gapsIn(
  symbols: readonly PlacedSymbol[],
  pages: ReadonlyMap<string, DocumentationPage>,
  references: References,
  { depth, docsFolder }: { depth: GapDepth; docsFolder: string },
): Promise<GapReport> {
  const types = await typesOf(pages);
  const spokenOf = new Map(
    symbols.map((symbol) => [symbol, references.of(symbol).filter(({ page }) => types.has(page))]),
  );
  const documentedNames = new Set(symbols.filter((one) => spokenOf.get(one)?.length).map(keyOf));
  const asked = symbols.filter((symbol) => isAsked(symbol, depth));
  const isDocumented = (symbol: PlacedSymbol) => documentedNames.has(keyOf(symbol));
  const missing = asked.filter((symbol) => !isDocumented(symbol));
  // What belongs to something undocumented is told with it.
  const owners = new Set(missing.map(keyOf));
  const isTold = (symbol: PlacedSymbol) => !owners.has(ownerOf(symbol));
  const byOwner = groupedBy(missing, ownerOf);
  const pageFor = pageChooser(spokenOf, types, docsFolder);
  const gapOf = (symbol: PlacedSymbol, gapType: Gap["gapType"]): Gap => ({
    symbol,
    gapType,
    priority: gapType === "uncommented" ? "low" : priorityOf(symbol),
    page: pageFor(symbol),
    members: byOwner.get(keyOf(symbol))?.length ?? 0,
    decisions: references.of(symbol).filter(({ page }) => pages.get(page)?.tense === "decision"),
  });
  const uncommented =
    depth === "comprehensive" ? asked.filter((one) => isDocumented(one) && !one.documented) : [];
  const gaps = [
    ...missing.filter(isTold).map((symbol) => gapOf(symbol, "undocumented")),
    ...uncommented.map((symbol) => gapOf(symbol, "uncommented")),
  ];
  const rank = { high: 0, medium: 1, low: 2 };
  const pagesOf = { tutorial: 0, "how-to": 0, reference: 0, explanation: 0 };
  for (const type of types.values()) if (type !== "unknown") pagesOf[type]++;
  return {
    // The sort keeps the order of files and lines among equals.
    gaps: gaps.sort((a, b) => rank[a.priority] - rank[b.priority]),
    documented: asked.length - missing.length,
    total: asked.length,
    pages: pagesOf,
  };
}

/** What kind of documentation the pages seem to be that tell how things are now. */
async function typesOf(
  pages: ReadonlyMap<string, DocumentationPage>,
): Promise<Map<string, DiataxisType | "unknown">> {
  const types = new Map<string, DiataxisType | "unknown">();
  const turn = openTurn();
  for (const [file, { lines, tense }] of pages) {
    if (turn.isOver()) await turn.pass();
    if (tense === "now") types.set(file, diataxisOf(file, lines).type);
  }
  return types;
}

/** Deeper looks ask about more kinds of symbols. */
function isAsked(symbol: PlacedSymbol, depth: GapDepth): boolean {
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

/** The key of what a member belongs to; for anything else that of its file. */
const ownerOf = (symbol: PlacedSymbol): string =>
  keyOf({ file: symbol.file, name: isMember(symbol) ? ownerNameOf(symbol.name) : "" });

/** What stands where others begin to read comes first. */
function priorityOf(symbol: PlacedSymbol): Gap["priority"] {
  if (isMember(symbol) || ["constant", "type", "enum"].includes(symbol.kind)) return "low";
  const isEntry = /^(index|main|lib|mod|__init__|api|public)\.\w+$/.test(nameOf(symbol.file));
  return isEntry || folderOf(symbol.file) === "" ? "high" : "medium";
}

/**
 * The page for a symbol: the one that speaks most of its owner, its file or its folder; one of the
 * same name; or a new one in the reference.
 */
function pageChooser(
  spokenOf: ReadonlyMap<PlacedSymbol, readonly Reference[]>,
  types: ReadonlyMap<string, string>,
  docsFolder: string,
): (symbol: PlacedSymbol) => Gap["page"] {
  const tallies = new Map<string, Map<string, number>>();
  const add = (key: string, page: string) => {
    const tally = tallies.get(key) ?? new Map<string, number>();
    tallies.set(key, tally);
    // A page that is there to be looked up in is the better place.
    tally.set(page, (tally.get(page) ?? 0) + (types.get(page) === "reference" ? 2 : 1));
  };
  for (const [symbol, references] of spokenOf) {
    for (const { page } of references) {
      add(keyOf(symbol), page);
      add(keyOf({ file: symbol.file, name: "" }), page);
      if (folderOf(symbol.file) !== "") add(folderOf(symbol.file), page);
    }
  }
  const favourites = new Map([...tallies].map(([key, tally]) => [key, mostSpoken(tally)]));
  const stems = new Map([...types.keys()].map((file) => [stemOf(file), file]));
  return (symbol) => {
    const { file } = symbol;
    const keys = [ownerOf(symbol), keyOf({ file, name: "" }), folderOf(file)];
    const [best] = keys.flatMap((key) => favourites.get(key) ?? []);
    const found = best ?? stems.get(stemOf(file));
    if (found) return { file: found, exists: true };
    const name = moduleName(file);
    return {
      file: [docsFolder, "reference", `${name}.md`].filter(Boolean).join("/"),
      exists: false,
    };
  };
}

/** The page that counts most; of equals the one that was met first. */
const mostSpoken = (tally: ReadonlyMap<string, number>): string =>
  [...tally].reduce((best, other) => (other[1] > best[1] ? other : best), ["", 0])[0];

const stemOf = (file: string): string => nameOf(file).replace(/\..*$/, "").toLowerCase();

/** A file that only gathers what its folder offers has the folder's name. */
function moduleName(file: string): string {
  const stem = nameOf(file).replace(/\..*$/, "");
  const isGathering = /^(index|main|lib|mod|__init__)$/.test(stem);
  return (isGathering && nameOf(folderOf(file))) || stem;
}
