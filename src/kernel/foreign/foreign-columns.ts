import type { RawDatabase } from "../database.ts";
import { isPlainCollation } from "./foreign-definition.ts";
import { unsafeDatabase } from "./unsafe.ts";

/** What SQLite itself has understood of a table, whatever its text looks like to us. */
export function refuseStrangeColumns(db: RawDatabase, table: string, titled: string): void {
  const columns = db.prepare(`PRAGMA main.table_xinfo(${inQuotes(table)})`).all() as {
    name: string;
    hidden: number;
    dflt_value: string | null;
  }[];
  for (const { hidden, dflt_value } of columns) {
    if (hidden !== 0) throw unsafeDatabase(`It holds ${titled} with a computed column`);
    if (dflt_value !== null && !isConstant(dflt_value)) {
      throw unsafeDatabase(`It holds ${titled} with a default value that is computed`);
    }
  }
}

export function refuseStrangeIndexes(db: RawDatabase, table: string, titled: string): void {
  const indexes = db.prepare(`PRAGMA main.index_list(${inQuotes(table)})`).all() as {
    name: string;
    partial: number;
  }[];
  for (const { name, partial } of indexes) {
    if (partial !== 0)
      throw unsafeDatabase(`It holds ${titled} with an index that has a condition`);
    const columns = db.prepare(`PRAGMA main.index_xinfo(${inQuotes(name)})`).all() as {
      cid: number;
      coll: string;
    }[];
    if (columns.some(({ cid }) => cid < -1)) {
      throw unsafeDatabase(`It holds ${titled} with an index that computes`);
    }
    if (!columns.every(({ coll }) => isPlainCollation(coll))) {
      throw unsafeDatabase(`It holds ${titled} with an unknown collation`);
    }
  }
}

const inQuotes = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** A literal, or one of the three words for the present time. */
const isConstant = (value: string): boolean =>
  /^\(?\s*([+-]?\d+(\.\d+)?(e[+-]?\d+)?|'([^']|'')*'|"[^"]*"|null|true|false|current_(timestamp|date|time))\s*\)?$/i.test(
    value,
  );
