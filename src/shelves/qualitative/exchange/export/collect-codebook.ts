import { exchangedRows } from "../../qda/storage-exchange.ts";
import { readImportedColor } from "../colors.ts";
import type { CategoryContent, CodeContent } from "../content.ts";
import { breakCycles } from "../cycles.ts";
import type { ExportContext, OwnedRow } from "./export-context.ts";

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

/** Categories and codes, and the GUID of each code by its row id. */
export function collectCodebook(context: ExportContext): {
  categories: CategoryContent[];
  codes: CodeContent[];
  codeOfRow: Map<number, string>;
} {
  const { db } = context.project;
  const categoryRows = exchangedRows<CategoryRow>(db, "code_cat");
  const codeRows = exchangedRows<CodeRow>(db, "code_name");
  const categoryOfRow = guidsOf(context, "category", categoryRows);
  const codeOfRow = guidsOf(context, "code", codeRows);
  const categories = categoryRows.map((row) => ({
    guid: categoryOfRow.get(row.row) ?? "",
    name: row.name ?? "",
    memo: context.memoOf(row.memo, row.name ?? ""),
    parent: categoryOfRow.get(row.supercatid ?? 0) ?? null,
  }));
  const codes = codeRows.map((row) => {
    const parent = codeOfRow.get(row.supercid ?? 0) ?? null;
    return {
      guid: codeOfRow.get(row.row) ?? "",
      name: row.name ?? "",
      memo: context.memoOf(row.memo, row.name ?? ""),
      color: readImportedColor(row.color, row.name ?? "", context.losses),
      parent,
      category: parent === null ? (categoryOfRow.get(row.catid ?? 0) ?? null) : null,
    };
  });
  breakCycles(categories, context.losses);
  breakCycles(codes, context.losses);
  return { categories, codes, codeOfRow };
}

const guidsOf = (
  context: ExportContext,
  kind: "category" | "code",
  rows: readonly { row: number; date?: string | null }[],
): Map<number, string> => new Map(rows.map((row) => [row.row, context.guidOf(kind, row)]));
