import type { Database } from "../../kernel/storage/database.ts";

const isAlias = "key IN ('alias', 'aliases')";

export const readAliases = (db: Database, document: number): string[] =>
  db
    .all<{ value: string }>(
      `SELECT value FROM search_facts WHERE document = ? AND ${isAlias}`,
      document,
    )
    .map(({ value }) => value);

export const listAliasesInRoot = (db: Database, root: string): { alias: string; path: string }[] =>
  db.all(
    `SELECT value AS alias, path FROM search_facts JOIN documents ON documents.id = document
      WHERE ${isAlias} AND root = ?`,
    root,
  );
