import type { Log } from "../runtime/log.ts";
import { storeDamaged } from "./database.ts";

/** Parses JSON of a row. Only Lectern writes it, so unreadable JSON means a damaged store. */
export function parseStoredJson<Value>(text: string): Value {
  try {
    // Rows are only written with a value of this type.
    return JSON.parse(text) as Value;
  } catch (error) {
    throw storeDamaged(error);
  }
}

/** Reads the rows of a list and skips those that cannot be read. */
export const readIntactRows = <Row extends { id: number }, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
  log?: Log,
): Value[] =>
  rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch {
      log?.("warn", "a damaged row was left out of a list", { id: row.id });
      return [];
    }
  });
