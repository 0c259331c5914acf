import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ResultRow, ResultTable } from "./result-table.ts";

/** The folders of collections, by name. */
export type CollectionFolders = ReadonlyMap<string, string>;

/** Where a document named `collection/path` is on disk; undefined for an unknown collection. */
export function pathOnDisk(file: string, folders: CollectionFolders): string | undefined {
  const slash = file.indexOf("/");
  const folder = folders.get(file.slice(0, slash));
  return folder === undefined ? undefined : join(folder, file.slice(slash + 1));
}

/** The output with the path on disk of each document in place of `collection/path`. */
export function withDiskPaths(
  table: ResultTable,
  output: Readonly<Record<string, unknown>>,
  folders: CollectionFolders,
): Record<string, unknown> {
  const rows = table.rowsIn(output).map((row): ResultRow => {
    // A row with a URI is an MCP resource, whose name is the path.
    const key = row.uri === undefined ? "file" : "name";
    const file = row[key];
    return typeof file === "string" ? { ...row, [key]: pathOnDisk(file, folders) ?? file } : row;
  });
  return table.withRows(output, rows);
}

/** The link of a place in a document, for a terminal; undefined for an unknown collection. */
export type LinkOf = (file: string, line: number) => string | undefined;

/** Makes links into documents of these collections. */
export const linkMaker =
  (folders: CollectionFolders, template: string | undefined): LinkOf =>
  (file, line) => {
    const path = pathOnDisk(file, folders);
    return path === undefined ? undefined : documentLink({ path, line }, template);
  };

/**
 * The address that a terminal opens when its user clicks on a result. `template` is that of an
 * editor, such as `vscode://file{path}:{line}`; without one, the file itself is opened.
 */
export function documentLink(
  { path, line }: { path: string; line: number },
  template: string | undefined,
): string {
  const url = pathToFileURL(path);
  if (!template) return url.href;
  return template.replaceAll("{path}", url.pathname).replaceAll("{line}", String(line));
}
