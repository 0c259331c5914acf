import { signal } from "@preact/signals";
import { call } from "../client.ts";

/** As many as the operation takes at once. */
const mostFiles = 500;

/** Files of repositories that the reader has, by `path` and file. */
const known = signal<ReadonlyMap<string, string>>(new Map());

const keyOf = (path: string, file: string): string => `${path}\0${file}`;

export const documentOf = (path: string, file: string): string | undefined =>
  known.value.get(keyOf(path, file));

/** Finds out which of these files are documents, so that a finding can lead to its line. */
export async function locate(
  path: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const asked = [...new Set(files)].slice(0, mostFiles);
  if (asked.length === 0) return;
  const { data } = await call("find_indexed_files", { path, files: asked }, signal);
  const found = Object.entries(data.documents).map(
    ([file, document]) => [keyOf(path, file), document] as const,
  );
  known.value = new Map([...known.value, ...found]);
}
