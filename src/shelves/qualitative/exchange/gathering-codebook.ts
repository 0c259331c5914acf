import { rowsOf } from "../qda/storage-exchange.ts";
import type { Basket, OwnedRow } from "./basket.ts";
import { breakCircles } from "./circles.ts";
import { keptColor } from "./colors.ts";
import type { CategoryContent, CodeContent } from "./content.ts";

interface CategoryRow extends OwnedRow {
  row: number;
  name: string | null;
  memo: string | null;
  supercatid: number | null;
}

interface CodeRow extends OwnedRow {
  row: number;
  name: string | null;
  memo: string | null;
  color: string | null;
  catid: number | null;
  supercid?: number | null;
}

/** Categories and codes, and the GUID of each code by the number of its row. */
export function gatherCodebook(basket: Basket): {
  categories: CategoryContent[];
  codes: CodeContent[];
  codeOfRow: Map<number, string>;
} {
  const { db } = basket.project;
  const categoryRows = rowsOf<CategoryRow>(db, "code_cat");
  const codeRows = rowsOf<CodeRow>(db, "code_name");
  const categoryOfRow = guidsOf(basket, "category", categoryRows);
  const codeOfRow = guidsOf(basket, "code", codeRows);
  const categories = categoryRows.map((row) => ({
    guid: categoryOfRow.get(row.row) ?? "",
    name: row.name ?? "",
    memo: basket.memoOf(row.memo, row.name ?? ""),
    parent: categoryOfRow.get(row.supercatid ?? 0) ?? null,
  }));
  const codes = codeRows.map((row) => {
    const parent = codeOfRow.get(row.supercid ?? 0) ?? null;
    return {
      guid: codeOfRow.get(row.row) ?? "",
      name: row.name ?? "",
      memo: basket.memoOf(row.memo, row.name ?? ""),
      color: keptColor(row.color, row.name ?? "", basket.losses),
      parent,
      category: parent === null ? (categoryOfRow.get(row.catid ?? 0) ?? null) : null,
    };
  });
  breakCircles(categories, basket.losses);
  breakCircles(codes, basket.losses);
  return { categories, codes, codeOfRow };
}

const guidsOf = (
  basket: Basket,
  kind: "category" | "code",
  rows: readonly { row: number; date?: string | null }[],
): Map<number, string> => new Map(rows.map((row) => [row.row, basket.guidOf(kind, row)]));
