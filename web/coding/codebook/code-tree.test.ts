import { expect, test } from "vitest";
import type { Category, Code } from "../project-state.ts";
import { buildCodeTree, type CodeTreeNode, withDescendants } from "./code-tree.ts";

const category = (id: number, parent_id: number | null = null): Category => ({
  id,
  name: `category ${id}`,
  parent_id,
  memo: null,
  owner: null,
  created_at: null,
  code_count: 0,
});

const code = (id: number, category_id: number | null = null, parent?: number): Code => ({
  id,
  name: `code ${id}`,
  color: null,
  memo: null,
  category_id,
  owner: null,
  created_at: null,
  segment_count: 0,
  ...(parent !== undefined && { parent_code_id: parent }),
});

const shape = (branches: readonly CodeTreeNode[]): unknown[] =>
  branches.map((branch) => {
    const name = branch.kind === "code" ? branch.code.name : branch.category.name;
    return branch.below.length > 0 ? [name, shape(branch.below)] : name;
  });

test("codes are in their categories, sub-codes below their codes", () => {
  const categories = [category(1), category(2, 1)];
  const codes = [code(1), code(2, 2), code(3, 2, 2), code(4, 1)];
  expect(shape(buildCodeTree({ categories, codes }))).toEqual([
    ["category 1", [["category 2", [["code 2", ["code 3"]]]], "code 4"]],
    "code 1",
  ]);
});

test("items with a cyclic or missing parent are at the top, and none is lost", () => {
  const categories = [category(1, 2), category(2, 1), category(3, 9)];
  const codes = [code(1, 8), code(2, null, 3), code(3, null, 2), code(4, 1)];
  expect(shape(buildCodeTree({ categories, codes }))).toEqual([
    ["category 1", ["code 4"]],
    "category 2",
    "category 3",
    "code 1",
    "code 2",
    "code 3",
  ]);
});

test("all descendants of a category are found, even in a cycle", () => {
  expect([...withDescendants([category(1, 3), category(2, 1), category(3, 2)], 1)]).toEqual([
    1, 2, 3,
  ]);
});
