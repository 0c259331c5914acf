import { signal } from "@preact/signals";
import { call } from "../server/client.ts";

/** The maximum number of files per call. */
const maxFiles = 500;

/** The documents that are indexed files of repositories, by repository path and file. */
const documents = signal<ReadonlyMap<string, string>>(new Map());

const keyOf = (path: string, file: string): string => `${path}\0${file}`;

export const indexedDocumentOf = (path: string, file: string): string | undefined =>
  documents.value.get(keyOf(path, file));

/** Loads which of these files are indexed, so that findings can link to them. */
export async function loadIndexedDocuments(
  path: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const requested = [...new Set(files)].slice(0, maxFiles);
  if (requested.length === 0) return;
  const { data } = await call("find_indexed_files", { path, files: requested }, signal);
  const entries = Object.entries(data.documents).map(
    ([file, document]) => [keyOf(path, file), document] as const,
  );
  documents.value = new Map([...documents.value, ...entries]);
}
