import { basename } from "node:path";
import { groupedBy } from "../../text/grouped.ts";
import type { Mention } from "../../text/mentions.ts";
import type { DocumentationPage } from "./documentation.ts";
import { isMember, type PlacedSymbol, stepsOf } from "./symbols/symbol.ts";

/** A place on a page that speaks of a symbol. */
export interface Reference {
  page: string;
  line: number;
  /** As it stands there. */
  text: string;
  /**
   * False where only the last name of a member stands there, on a page that also names what the
   * member belongs to.
   */
  certain: boolean;
  /** Where the symbol's own name begins in its line, in UTF-16 units. */
  start: number;
}

/** Which pages speak of which symbols. */
export interface References {
  /** Where a symbol itself is spoken of. */
  of(symbol: Named): Reference[];
  /** Where something that belongs to it is spoken of by its full name. */
  throughIt(symbol: Named): Reference[];
}

/** More places of one name tell nobody anything new. */
const mostPlaces = 1_000;

type Named = Pick<PlacedSymbol, "name" | "kind" | "file">;

interface Spoken {
  page: string;
  mention: Mention;
}

export function openReferences(
  pages: Iterable<DocumentationPage>,
  /** The folder of the repository, whose name often is its package's. */
  root: string,
  /** All that the repository offers, or once did. */
  symbols: Iterable<Named>,
): References {
  const modules = modulesOf(symbols, root);
  const spoken: Spoken[] = [];
  const namesOnPage = new Map<string, Set<string>>();
  for (const { file: page, mentions } of pages) {
    const names = new Set<string>();
    for (const mention of mentions) {
      spoken.push({ page, mention });
      for (const step of mention.steps) names.add(step);
    }
    namesOnPage.set(page, names);
  }
  const byLast = groupedBy(spoken, ({ mention }) => mention.steps.at(-1));
  const byEarlier = new Map<string, Spoken[]>();
  for (const one of spoken) {
    for (const step of new Set(one.mention.steps.slice(0, -1))) {
      const others = byEarlier.get(step);
      if (others) others.push(one);
      else byEarlier.set(step, [one]);
    }
  }
  return {
    of(symbol) {
      const steps = plainSteps(symbol.name);
      const found: Reference[] = [];
      for (const { page, mention } of byLast.get(steps.at(-1) ?? "")?.slice(0, mostPlaces) ?? []) {
        const owner = steps.at(-2);
        const isNear = owner !== undefined && namesOnPage.get(page)?.has(owner) === true;
        const verdict = judge(steps, mention.steps, symbol, modules);
        if (verdict === "certain" || (verdict === "near" && isNear)) {
          found.push(referenceOf(page, mention, -1, verdict === "certain"));
        }
      }
      return found;
    },
    throughIt(symbol) {
      const steps = plainSteps(symbol.name);
      const own = steps.at(-1) ?? "";
      return (byEarlier.get(own) ?? []).slice(0, mostPlaces).flatMap(({ page, mention }) => {
        const at = mention.steps.lastIndexOf(own, mention.steps.length - 2);
        const verdict = judge(steps, mention.steps.slice(0, at + 1), symbol, modules);
        return verdict === "certain" ? [referenceOf(page, mention, at, true)] : [];
      });
    },
  };
}

function referenceOf(page: string, mention: Mention, at: number, certain: boolean): Reference {
  const { line, text, starts, start } = mention;
  return { page, line, text, certain, start: starts.at(at) ?? start };
}

/** Ruby's names may end in a sign that pages often leave out. */
const plainSteps = (name: string): string[] =>
  stepsOf(name).map((step) => step.replace(/[!?]$/, ""));

/**
 * Compares names from their ends. A member must be named with what it belongs to, anything else
 * by its own name. What a page puts in front must be a step of the symbol's name, or its module.
 */
function judge(
  steps: readonly string[],
  said: readonly string[],
  symbol: Named,
  modules: Modules,
): "certain" | "near" | "no" {
  let equal = 0;
  while (
    equal < Math.min(steps.length, said.length) &&
    steps.at(-1 - equal) === said.at(-1 - equal)
  ) {
    equal++;
  }
  if (equal === 0) return "no";
  if (equal < (isMember(symbol) ? 2 : 1)) return "near";
  const before = said.at(-1 - equal);
  if (before === undefined || equal > 1) return "certain";
  return isModuleOf(symbol, before, modules) ? "certain" : "no";
}

/** The names of a repository's modules, and which symbols stand in each. */
type Modules = ReadonlyMap<string, ReadonlySet<string>>;

function modulesOf(symbols: Iterable<Named>, root: string): Modules {
  const modules = new Map<string, Set<string>>([[plain(basename(root)), new Set()]]);
  for (const { file, name } of symbols) {
    for (const module of namesOfModule(file)) {
      const names = modules.get(module) ?? new Set();
      modules.set(module, names.add(plainSteps(name).at(-1) ?? ""));
    }
  }
  return modules;
}

/**
 * A module is named by its file, one of its folders, or the repository. A page may also name the
 * module that the symbol once was in, unless that one has a symbol of the same name.
 */
function isModuleOf({ file, name }: Named, said: string, modules: Modules): boolean {
  const module = plain(said);
  if (namesOfModule(file).includes(module)) return true;
  const names = modules.get(module);
  return names !== undefined && !names.has(plainSteps(name).at(-1) ?? "");
}

const namesOfModule = (file: string): string[] =>
  file
    .replace(/\.\w+$/, "")
    .split("/")
    .map(plain);

const plain = (word: string): string => word.toLowerCase().replace(/[-_.]/g, "");
