import type { Config } from "../../kernel/config.ts";

/**
 * The sentences that people wrote about the folders a document lies in, the general one first.
 * A context's path is a folder on disk or `collection/sub`; it holds for that folder and below,
 * never for a sibling whose name begins alike.
 */
export function contextOf(config: Config, root: string, path: string): string | null {
  const collection = config.collections[root];
  const names = [`${root}/${path}`, ...(collection ? [`${collection.path}/${path}`] : [])];
  const matching = Object.entries(config.contexts)
    .flatMap(([folder, words]) => {
      const name = names.find((name) => isBelow(name, folder));
      return name === undefined ? [] : [{ folder, words, below: name.length - folder.length }];
    })
    .sort((a, b) => b.below - a.below || a.folder.length - b.folder.length);
  return matching.length === 0 ? null : matching.map(({ words }) => words).join("\n\n");
}

function isBelow(name: string, folder: string): boolean {
  const trimmed = folder.replace(/\/+$/, "");
  return name === trimmed || name.startsWith(`${trimmed}/`);
}
