import type { ColumnValue, Database } from "./database.ts";

/** With more rows in a statement, binding its values is not faster. */
const rowsPerStatement = 32;

/**
 * Inserts rows, several in each statement: the overhead of a statement for each row would be larger
 * than the work. Returns the number of inserted rows.
 *
 * ```
 * insertRows(db, "INSERT INTO links (document, target)", [[1, "a.md"], [1, "b.md"]])
 * ```
 */
export function insertRows(
  db: Database,
  insertInto: string,
  rows: readonly (readonly ColumnValue[])[],
): number {
  const placeholders = `(${(rows[0] ?? []).map(() => "?").join(", ")})`;
  const single = `${insertInto} VALUES ${placeholders}`;
  const full = single + `, ${placeholders}`.repeat(rowsPerStatement - 1);
  let inserted = 0;
  let next = 0;
  for (; next + rowsPerStatement <= rows.length; next += rowsPerStatement) {
    const values: ColumnValue[] = [];
    for (const row of rows.slice(next, next + rowsPerStatement)) values.push(...row);
    inserted += db.run(full, ...values).changes;
  }
  for (const row of rows.slice(next)) inserted += db.run(single, ...row).changes;
  return inserted;
}
