import { parseBlocks } from "../parsing/blocks.ts";
import { scanSource } from "../parsing/source.ts";
import { formatTableRow, readTableRows } from "../parsing/tables.ts";
import { isFieldKey } from "../record-keys.ts";
import { type Fields, isNumeral, textValue, type Value, valuesEqual } from "../values/value.ts";
import { recordLocalId } from "./object-tree.ts";

/** A table that parses to these rows, if there is one. */
export function formatTable(field: string, rows: readonly Fields[]): string | undefined {
  const keys = userKeys(rows[0] ?? new Map());
  const written = rows.map((row) =>
    formatTableRow(keys.map((key) => cellText(row.get(key) ?? null))),
  );
  const text = [formatTableRow(keys), formatTableRow(keys.map(() => "---")), ...written].join("\n");
  const source = scanSource(text);
  const [block, ...more] = parseBlocks(source, 0, source.lines.length);
  if (block?.type !== "table" || more.length > 0) return undefined;
  const read = readTableRows(source.lines, block);
  const isSame = rows.every((row, index) => {
    const again = read[index];
    const expected = new Map(userKeys(row).map((key) => [key, row.get(key) ?? null]));
    return (
      again !== undefined &&
      valuesEqual(again.fields, expected) &&
      again.label === (textValue(row.get("__label")) ?? "") &&
      recordLocalId(row) === `${field}_${index}` &&
      !row.has("__comments")
    );
  });
  return isSame ? text : undefined;
}

const userKeys = (row: Fields): string[] => [...row.keys()].filter(isFieldKey);

function cellText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "object") return isNumeral(value) ? value.notation : "";
  return value;
}
