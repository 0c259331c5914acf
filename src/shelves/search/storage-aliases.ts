import { all, type Steps } from "../../kernel/storage/steps.ts";
import { caseless } from "./storage-facts.ts";

const selectAliases = caseless(
  (fold) =>
    `SELECT value FROM search_facts WHERE document = ? AND ${fold("key")} IN ('alias', 'aliases')`,
);

export function* readAliases(document: number): Steps<string[]> {
  const rows = yield* all<{ value: string }>(selectAliases, document);
  return rows.map(({ value }) => value);
}

const selectAliasesInRoot = caseless(
  (fold) =>
    `SELECT value AS alias, path FROM search_facts JOIN documents ON documents.id = document
      WHERE ${fold("key")} IN ('alias', 'aliases') AND root = ?`,
);

export const listAliasesInRoot = (root: string): Steps<{ alias: string; path: string }[]> =>
  all(selectAliasesInRoot, root);
