import type { RawDatabase } from "../storage/database.ts";
import { isBuiltInCollation } from "./definition-checks.ts";
import { unsafeDatabase } from "./unsafe-database.ts";

/** Checks the columns as parsed by SQLite, independently of the text of the definition. */
export function assertPlainColumns(db: RawDatabase, table: string, label: string): void {
  const columns = db.prepare(`PRAGMA main.table_xinfo(${quoteLiteral(table)})`).all() as {
    name: string;
    hidden: number;
    dflt_value: string | null;
  }[];
  for (const { hidden, dflt_value } of columns) {
    if (hidden !== 0) throw unsafeDatabase(`It contains ${label} with a generated column`);
    if (dflt_value !== null && !isConstant(dflt_value)) {
      throw unsafeDatabase(`It contains ${label} with a computed default value`);
    }
  }
}

export function assertPlainIndexes(db: RawDatabase, table: string, label: string): void {
  const indexes = db.prepare(`PRAGMA main.index_list(${quoteLiteral(table)})`).all() as {
    name: string;
    partial: number;
  }[];
  for (const { name, partial } of indexes) {
    if (partial !== 0) throw unsafeDatabase(`It contains ${label} with a partial index`);
    const columns = db.prepare(`PRAGMA main.index_xinfo(${quoteLiteral(name)})`).all() as {
      cid: number;
      coll: string;
    }[];
    if (columns.some(({ cid }) => cid < -1)) {
      throw unsafeDatabase(`It contains ${label} with an index on an expression`);
    }
    if (!columns.every(({ coll }) => isBuiltInCollation(coll))) {
      throw unsafeDatabase(`It contains ${label} with an unknown collation`);
    }
  }
}

const quoteLiteral = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** A literal, or one of the three keywords for the current time. */
const isConstant = (value: string): boolean =>
  /^\(?\s*([+-]?\d+(\.\d+)?(e[+-]?\d+)?|'([^']|'')*'|"[^"]*"|null|true|false|current_(timestamp|date|time))\s*\)?$/i.test(
    value,
  );
