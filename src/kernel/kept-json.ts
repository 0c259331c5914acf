import { storeDamaged } from "./database.ts";
import type { Log } from "./log.ts";

/** What a row keeps as JSON. Only we write it, so what cannot be read was damaged on the disk. */
export function readKept<Value>(text: string): Value {
  try {
    // Whoever wrote the row gave a value of this kind.
    return JSON.parse(text) as Value;
  } catch (error) {
    throw storeDamaged(error);
  }
}

/** Reads each row for a list. One that cannot be read is left out, so that it costs no other. */
export const readEach = <Row extends { id: number }, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
  log?: Log,
): Value[] =>
  rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch {
      log?.("warn", "a row is damaged and left out of a list", { id: row.id });
      return [];
    }
  });
