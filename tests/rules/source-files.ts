import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  path: string;
  text: string;
}

/** Every file of the given types below the folders, except build output and packages. */
export function filesBelow(folders: readonly string[], kinds: RegExp): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && kinds.test(entry.name))
      .map((entry) =>
        relative(repositoryRoot, join(entry.parentPath, entry.name)).replaceAll("\\", "/"),
      )
      .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
      .sort()
      .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") })),
  );
}

export const sources = (): SourceFile[] =>
  filesBelow(["src"], /\.ts$/).filter(({ path }) => !path.endsWith(".test.ts"));
