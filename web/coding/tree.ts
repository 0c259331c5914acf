import { groupedBy } from "../../src/text/grouped.ts";
import type { Category, Code } from "./project.ts";

/** A category or a code, with what stands below it. */
export type Branch =
  | { kind: "category"; category: Category; below: Branch[] }
  | { kind: "code"; code: Code; below: Branch[] };

type Parts = { categories: readonly Category[]; codes: readonly Code[] };

/**
 * Categories with their codes, codes with their sub-codes. What stands below itself, or below
 * something that is not there, in a damaged project stands at the top, so that nothing is lost.
 */
export function treeOf({ categories, codes }: Parts): Branch[] {
  const parentOfCategory = new Map(categories.map(({ id, parent_id }) => [id, parent_id]));
  const parentOfCode = new Map(codes.map(({ id, parent_code_id }) => [id, parent_code_id ?? null]));
  const categoryAbove = soundParents(parentOfCategory);
  const codeAbove = soundParents(parentOfCode);
  const subcodes = groupedBy(codes, ({ id }) => codeAbove.get(id) ?? undefined);
  const branchOf = (code: Code): Branch => ({
    kind: "code",
    code,
    below: (subcodes.get(code.id) ?? []).map(branchOf),
  });
  const topCodes = codes.filter(({ id }) => (codeAbove.get(id) ?? null) === null);
  const isKnown = (id: number | null): boolean => id !== null && parentOfCategory.has(id);
  const codesIn = groupedBy(topCodes, ({ category_id }) =>
    isKnown(category_id) ? category_id : null,
  );
  const categoriesIn = groupedBy(categories, ({ id }) => categoryAbove.get(id) ?? null);
  const within = (of: number | null): Branch[] => [
    ...(categoriesIn.get(of) ?? []).map(
      (category): Branch => ({ kind: "category", category, below: within(category.id) }),
    ),
    ...(codesIn.get(of) ?? []).map(branchOf),
  ];
  return within(null);
}

/** What each stands below; nothing where a way up leads back or nowhere. */
function soundParents(parents: ReadonlyMap<number, number | null>): Map<number, number | null> {
  const isSound = (id: number): boolean => {
    const passed = new Set([id]);
    for (let at = parents.get(id); at !== null && at !== undefined; at = parents.get(at)) {
      if (passed.has(at) || !parents.has(at)) return false;
      passed.add(at);
    }
    return true;
  };
  return new Map([...parents].map(([id, parent]) => [id, isSound(id) ? parent : null]));
}

/** A category and all below it, which it cannot be moved into. */
export function withThoseBelow(categories: readonly Category[], id: number): Set<number> {
  const within = new Set([id]);
  for (const one of within) {
    for (const { id: child, parent_id } of categories) if (parent_id === one) within.add(child);
  }
  return within;
}
