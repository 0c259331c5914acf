import type { Completion } from "../../../kernel/operations/resource.ts";
import { parseRecordName } from "../../../text/decisions/file-name.ts";
import { codeLanguages } from "../patterns/languages.ts";
import { readPatternRules } from "../patterns/pattern-rules.ts";
import {
  type ArchitectureDocument,
  categoryNouns,
  type DocumentCategory,
  describeDocument,
  documentCategories,
  escapeDocumentName,
} from "./document.ts";
import { type DocumentSet, documentsInCategory } from "./document-set.ts";

/** Prompt arguments that can be completed, with the category of their values. */
const documentArguments: Record<string, DocumentCategory> = {
  pattern_name: "patterns",
  guideline_name: "guidelines",
  adr_id: "adr",
};

/** Completions of an argument. A completed value is accepted unchanged. */
export function completeArgument(set: DocumentSet, name: string, typed: string): Completion[] {
  if (name === "language") return completeLanguages(set, typed);
  const category = Object.hasOwn(documentArguments, name) ? documentArguments[name] : undefined;
  return category
    ? documentsInCategory(set, category).filter(startsWithFilter(typed)).map(toCompletion)
    : [];
}

export const completeCategories = (typed: string): Completion[] =>
  documentCategories
    .filter((category) => category.startsWith(typed.toLowerCase()))
    .map((value) => ({ value, description: `Every ${categoryNouns[value]}` }));

/** Names of one category, or of all if none is given; empty for an unknown category. */
export const completeNames = (
  set: DocumentSet,
  typed: string,
  kind: string | undefined,
): Completion[] =>
  set.all
    .filter(({ category }) => kind === undefined || category === kind)
    .filter(startsWithFilter(typed))
    .map((document) => ({ ...toCompletion(document), value: escapeDocumentName(document.name) }));

const toCompletion = (document: ArchitectureDocument): Completion => ({
  value: document.name,
  label: document.title,
  description: describeDocument(document),
});

/** A decision also matches by its number, with any leading zeros, and by its slug. */
function startsWithFilter(typed: string): (document: ArchitectureDocument) => boolean {
  const start = normalizeName(typed);
  const digits = /^(?:adr-?)?0*(\d+)$/.exec(start)?.[1];
  return ({ category, name }) => {
    if (normalizeName(name).startsWith(start)) return true;
    if (category !== "adr") return false;
    const { number, slug } = parseRecordName(name);
    return (
      normalizeName(slug).startsWith(start) || (digits !== undefined && `${number}` === digits)
    );
  };
}

/** A user may type a space instead of a hyphen. */
const normalizeName = (name: string): string =>
  name.normalize().toLowerCase().trim().replace(/\s+/g, "-");

function completeLanguages(set: DocumentSet, typed: string): Completion[] {
  const patternLanguages = documentsInCategory(set, "patterns").flatMap((pattern) =>
    readPatternRules(pattern).rules.flatMap((rule) => rule.languages),
  );
  const start = typed.toLowerCase();
  return [...new Set([...codeLanguages, ...patternLanguages])]
    .filter((language) => language.startsWith(start))
    .sort()
    .map((value) => ({ value }));
}
