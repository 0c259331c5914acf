import type { Completion } from "../../kernel/resource.ts";
import { readName } from "../../text/decisions/file-name.ts";
import {
  type ArchitectureDocument,
  asStep,
  type Category,
  categories,
  describe,
  nounOf,
} from "./document.ts";
import { type DocumentSet, documentsOf } from "./document-set.ts";
import { languages } from "./languages.ts";
import { rulesOf } from "./pattern-rules.ts";

/** The arguments that can be completed, in whichever prompt they stand. */
const documentArguments: Record<string, Category> = {
  pattern_name: "patterns",
  guideline_name: "guidelines",
  adr_id: "adr",
};

/** What an argument may become. A completed value is taken as it stands. */
export function completedArgument(set: DocumentSet, name: string, typed: string): Completion[] {
  if (name === "language") return completedLanguages(set, typed);
  const category = Object.hasOwn(documentArguments, name) ? documentArguments[name] : undefined;
  return category ? documentsOf(set, category).filter(beginsWith(typed)).map(completion) : [];
}

export const completedCategories = (typed: string): Completion[] =>
  categories
    .filter((category) => category.startsWith(typed.toLowerCase()))
    .map((value) => ({ value, description: `Every ${nounOf[value]}` }));

/** Names of one kind, or of all where none was given yet; none where there is no such kind. */
export const completedNames = (
  set: DocumentSet,
  typed: string,
  kind: string | undefined,
): Completion[] =>
  set.all
    .filter(({ category }) => kind === undefined || category === kind)
    .filter(beginsWith(typed))
    .map((document) => ({ ...completion(document), value: asStep(document.name) }));

const completion = (document: ArchitectureDocument): Completion => ({
  value: document.name,
  label: document.title,
  description: describe(document),
});

/** A decision is also found by its number, however many zeros, and by its words alone. */
function beginsWith(typed: string): (document: ArchitectureDocument) => boolean {
  const start = plain(typed);
  const digits = /^(?:adr-?)?0*(\d+)$/.exec(start)?.[1];
  return ({ category, name }) => {
    if (plain(name).startsWith(start)) return true;
    if (category !== "adr") return false;
    const { number, slug } = readName(name);
    return plain(slug).startsWith(start) || (digits !== undefined && `${number}` === digits);
  };
}

/** A person may type a space for a hyphen. */
const plain = (name: string): string => name.normalize().toLowerCase().trim().replace(/\s+/g, "-");

function completedLanguages(set: DocumentSet, typed: string): Completion[] {
  const named = documentsOf(set, "patterns").flatMap((pattern) =>
    rulesOf(pattern).rules.flatMap((rule) => rule.languages),
  );
  const start = typed.toLowerCase();
  return [...new Set([...languages, ...named])]
    .filter((language) => language.startsWith(start))
    .sort()
    .map((value) => ({ value }));
}
