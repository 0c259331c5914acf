import { groupBy } from "../../../src/text/arrays/group-by.ts";
import type { Category, Code } from "../project-state.ts";

/** A category or a code, with its children. */
export type CodeTreeNode =
  | { kind: "category"; category: Category; below: CodeTreeNode[] }
  | { kind: "code"; code: Code; below: CodeTreeNode[] };

type Parts = { categories: readonly Category[]; codes: readonly Code[] };

/**
 * Builds the tree of categories, codes and sub-codes. In a damaged project, items with a missing
 * parent or with a cycle among their ancestors move to the top level, so that none is lost.
 */
export function buildCodeTree({ categories, codes }: Parts): CodeTreeNode[] {
  const parentOfCategory = new Map(categories.map(({ id, parent_id }) => [id, parent_id]));
  const parentOfCode = new Map(codes.map(({ id, parent_code_id }) => [id, parent_code_id ?? null]));
  const safeCategoryParent = acyclicParents(parentOfCategory);
  const safeCodeParent = acyclicParents(parentOfCode);
  const subcodes = groupBy(codes, ({ id }) => safeCodeParent.get(id) ?? undefined);
  const branchOf = (code: Code): CodeTreeNode => ({
    kind: "code",
    code,
    below: (subcodes.get(code.id) ?? []).map(branchOf),
  });
  const topCodes = codes.filter(({ id }) => (safeCodeParent.get(id) ?? null) === null);
  const isKnown = (id: number | null): boolean => id !== null && parentOfCategory.has(id);
  const codesIn = groupBy(topCodes, ({ category_id }) =>
    isKnown(category_id) ? category_id : null,
  );
  const categoriesIn = groupBy(categories, ({ id }) => safeCategoryParent.get(id) ?? null);
  const childrenOf = (parent: number | null): CodeTreeNode[] => [
    ...(categoriesIn.get(parent) ?? []).map(
      (category): CodeTreeNode => ({ kind: "category", category, below: childrenOf(category.id) }),
    ),
    ...(codesIn.get(parent) ?? []).map(branchOf),
  ];
  return childrenOf(null);
}

/** The parent of each item; null if the chain of ancestors has a cycle or a missing item. */
function acyclicParents(parents: ReadonlyMap<number, number | null>): Map<number, number | null> {
  const isAcyclic = (id: number): boolean => {
    const visited = new Set([id]);
    let ancestor = parents.get(id);
    while (ancestor !== null && ancestor !== undefined) {
      if (visited.has(ancestor) || !parents.has(ancestor)) return false;
      visited.add(ancestor);
      ancestor = parents.get(ancestor);
    }
    return true;
  };
  return new Map([...parents].map(([id, parent]) => [id, isAcyclic(id) ? parent : null]));
}

/** A category and all its descendants. */
export function withDescendants(categories: readonly Category[], id: number): Set<number> {
  const descendants = new Set([id]);
  // A Set iterates over the elements that are added during the loop.
  for (const parent of descendants) {
    for (const { id: child, parent_id } of categories) {
      if (parent_id === parent) descendants.add(child);
    }
  }
  return descendants;
}
