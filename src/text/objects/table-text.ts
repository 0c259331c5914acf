import { blocksOf } from "./blocks.ts";
import { localIdIn } from "./object-tree.ts";
import { isFieldKey } from "./record-keys.ts";
import { readSource } from "./source.ts";
import { rowsOf, rowWith } from "./tables.ts";
import { type Fields, isNumeral, sameValue, textOf, type Value } from "./value.ts";

/** A table that is read as these rows, if there is one. */
export function tableFor(field: string, rows: readonly Fields[]): string | undefined {
  const keys = userKeys(rows[0] ?? new Map());
  const written = rows.map((row) => rowWith(keys.map((key) => cellText(row.get(key) ?? null))));
  const text = [rowWith(keys), rowWith(keys.map(() => "---")), ...written].join("\n");
  const source = readSource(text);
  const [block, ...more] = blocksOf(source, 0, source.lines.length);
  if (block?.type !== "table" || more.length > 0) return undefined;
  const read = rowsOf(source.lines, block);
  const isSame = rows.every((row, index) => {
    const again = read[index];
    const kept = new Map(userKeys(row).map((key) => [key, row.get(key) ?? null]));
    return (
      again !== undefined &&
      sameValue(again.fields, kept) &&
      again.label === (textOf(row.get("__label")) ?? "") &&
      localIdIn(row) === `${field}_${index}` &&
      !row.has("__comments")
    );
  });
  return isSame ? text : undefined;
}

const userKeys = (row: Fields): string[] => [...row.keys()].filter(isFieldKey);

function cellText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "object") return isNumeral(value) ? value.spelled : "";
  return value;
}
