import { basename } from "node:path";
import { groupBy } from "../../../text/arrays/group-by.ts";
import type { CodeMention } from "../../../text/software/code-mentions.ts";
import type { DocumentationPage } from "../pages/documentation.ts";
import { isMemberSymbol, type LocatedSymbol, splitName } from "../symbols/code-symbol.ts";

/** A mention of a symbol on a page. */
export interface SymbolReference {
  page: string;
  line: number;
  /** The text of the mention. */
  text: string;
  /**
   * False if only the last part of a member's name is written, on a page that also mentions its
   * owner.
   */
  certain: boolean;
  /** Where the symbol's own name starts in the line, in UTF-16 units. */
  start: number;
}

/** The mentions of symbols on pages. */
export interface SymbolReferences {
  /** The mentions of a symbol itself. */
  to(symbol: NamedSymbol): SymbolReference[];
  /** The mentions of its members by their full names. */
  toMembersOf(symbol: NamedSymbol): SymbolReference[];
}

/** Further mentions of a name are ignored. */
const maxReferences = 1_000;

type NamedSymbol = Pick<LocatedSymbol, "name" | "kind" | "file">;

interface PageMention {
  page: string;
  mention: CodeMention;
}

export function createSymbolReferences(
  pages: Iterable<DocumentationPage>,
  /** The repository folder; its name is often the package name. */
  root: string,
  /** The current and former public symbols. */
  symbols: Iterable<NamedSymbol>,
): SymbolReferences {
  const modules = indexModules(symbols, root);
  const allMentions: PageMention[] = [];
  const namesOnPage = new Map<string, Set<string>>();
  for (const { file: page, mentions } of pages) {
    const names = new Set<string>();
    for (const mention of mentions) {
      allMentions.push({ page, mention });
      for (const step of mention.steps) names.add(step);
    }
    namesOnPage.set(page, names);
  }
  const byLastPart = groupBy(allMentions, ({ mention }) => mention.steps.at(-1));
  const byEarlierPart = new Map<string, PageMention[]>();
  for (const pageMention of allMentions) {
    for (const step of new Set(pageMention.mention.steps.slice(0, -1))) {
      const others = byEarlierPart.get(step);
      if (others) others.push(pageMention);
      else byEarlierPart.set(step, [pageMention]);
    }
  }
  return {
    to(symbol) {
      const steps = nameParts(symbol.name);
      const found: SymbolReference[] = [];
      for (const { page, mention } of byLastPart.get(steps.at(-1) ?? "")?.slice(0, maxReferences) ??
        []) {
        const owner = steps.at(-2);
        const hasOwnerOnPage = owner !== undefined && namesOnPage.get(page)?.has(owner) === true;
        const verdict = matchName(steps, mention.steps, symbol, modules);
        if (verdict === "certain" || (verdict === "near" && hasOwnerOnPage)) {
          found.push(toReference(page, mention, -1, verdict === "certain"));
        }
      }
      return found;
    },
    toMembersOf(symbol) {
      const steps = nameParts(symbol.name);
      const lastPart = steps.at(-1) ?? "";
      return (byEarlierPart.get(lastPart) ?? [])
        .slice(0, maxReferences)
        .flatMap(({ page, mention }) => {
          const at = mention.steps.lastIndexOf(lastPart, mention.steps.length - 2);
          const verdict = matchName(steps, mention.steps.slice(0, at + 1), symbol, modules);
          return verdict === "certain" ? [toReference(page, mention, at, true)] : [];
        });
    },
  };
}

function toReference(
  page: string,
  mention: CodeMention,
  at: number,
  certain: boolean,
): SymbolReference {
  const { line, text, starts, start } = mention;
  return { page, line, text, certain, start: starts.at(at) ?? start };
}

/** Ruby names may end in `!` or `?`, which pages often omit. */
const nameParts = (name: string): string[] =>
  splitName(name).map((step) => step.replace(/[!?]$/, ""));

/**
 * Compares names from their ends. A member must be written with its owner, other symbols by their
 * own name. A further qualifier on the page must be a part of the symbol's name or its module.
 */
function matchName(
  steps: readonly string[],
  written: readonly string[],
  symbol: NamedSymbol,
  modules: Modules,
): "certain" | "near" | "no" {
  let equal = 0;
  while (
    equal < Math.min(steps.length, written.length) &&
    steps.at(-1 - equal) === written.at(-1 - equal)
  ) {
    equal++;
  }
  if (equal === 0) return "no";
  if (equal < (isMemberSymbol(symbol) ? 2 : 1)) return "near";
  const qualifier = written.at(-1 - equal);
  if (qualifier === undefined || equal > 1) return "certain";
  return isModuleOf(symbol, qualifier, modules) ? "certain" : "no";
}

/** The module names of a repository with the symbols in each. */
type Modules = ReadonlyMap<string, ReadonlySet<string>>;

function indexModules(symbols: Iterable<NamedSymbol>, root: string): Modules {
  const modules = new Map<string, Set<string>>([[normalizeName(basename(root)), new Set()]]);
  for (const { file, name } of symbols) {
    for (const module of moduleNames(file)) {
      const names = modules.get(module) ?? new Set();
      modules.set(module, names.add(nameParts(name).at(-1) ?? ""));
    }
  }
  return modules;
}

/**
 * A module is named after its file, one of its folders, or the repository. A page may also name a
 * module that formerly contained the symbol, unless it now has another symbol of that name.
 */
function isModuleOf({ file, name }: NamedSymbol, qualifier: string, modules: Modules): boolean {
  const module = normalizeName(qualifier);
  if (moduleNames(file).includes(module)) return true;
  const names = modules.get(module);
  return names !== undefined && !names.has(nameParts(name).at(-1) ?? "");
}

const moduleNames = (file: string): string[] =>
  file
    .replace(/\.\w+$/, "")
    .split("/")
    .map(normalizeName);

const normalizeName = (word: string): string => word.toLowerCase().replace(/[-_.]/g, "");
