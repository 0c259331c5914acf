import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { sharedMemo } from "../project/memo.ts";
import { allCategories, allCodes, type CodeRow, findCode } from "../qda/storage-codes.ts";
import { expandHexColor } from "./color.ts";

export const toCodeOutput = (code: CodeRow) => ({
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

export function requireCode(db: Database, id: number, code = "CODE_NOT_FOUND"): CodeRow {
  const existing = findCode(db, id);
  if (existing) return existing;
  throw new Failure("not-found", code, `Code not found: ${id}`, {
    hints: ["list_codes lists the ids."],
  });
}

/** Normalizes a color to `#RRGGBB`, as QualCoder stores it. */
export function toStoredColor(text: string, errorCode: string): string {
  const color = expandHexColor(text);
  if (color !== undefined) return color.toUpperCase();
  throw new Failure("invalid", `${errorCode}/INVALID_COLOR`, "A color must be #RRGGBB or #RGB");
}

export const codesExcept = (db: Database, id?: number): CodeRow[] =>
  allCodes(db).filter((code) => code.id !== id);

export function assertCategoryExists(db: Database, id: number | null, code: string): void {
  if (id === null || allCategories(db).some((category) => category.id === id)) return;
  throw new Failure("not-found", code, `Category not found: ${id}`, {
    hints: ["list_categories lists the ids."],
  });
}
