import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { wholeColor } from "./color.ts";
import { sharedMemo } from "./memo.ts";
import { allCategories, allCodes, type CodeRow, findCode } from "./qda/storage-codes.ts";

export const shownCode = (code: CodeRow) => ({
  id: code.id,
  name: code.name,
  color: code.color,
  memo: sharedMemo(code.memo),
  category_id: code.category,
  owner: code.owner,
  created_at: code.date,
  segment_count: code.segments,
  ...(code.parent !== null && { parent_code_id: code.parent }),
});

export function codeById(db: Database, id: number, code = "CODE_NOT_FOUND"): CodeRow {
  const found = findCode(db, id);
  if (found) return found;
  throw new Failure("not-found", code, `Code not found: ${id}`, {
    hints: ["list_codes gives the ids."],
  });
}

/** A colour as QualCoder stores it: `#RRGGBB`. */
export function storedColor(given: string, task: string): string {
  const color = wholeColor(given);
  if (color !== undefined) return color.toUpperCase();
  throw new Failure("invalid", `${task}/INVALID_COLOR`, "A color is written as #RRGGBB or #RGB");
}

export const codesBeside = (db: Database, id?: number): CodeRow[] =>
  allCodes(db).filter((code) => code.id !== id);

export function refuseUnknownCategory(db: Database, id: number | null, code: string): void {
  if (id === null || allCategories(db).some((category) => category.id === id)) return;
  throw new Failure("not-found", code, `Category not found: ${id}`, {
    hints: ["list_categories gives the ids."],
  });
}
