import type { Config } from "../../../kernel/home/config.ts";

/**
 * The contexts of the folders that contain a document, outermost first. The path of a context is a
 * folder on disk or `collection/sub`. It applies to that folder and everything below, but not to a
 * sibling whose name has the same prefix.
 */
export function contextOf(config: Config, root: string, path: string): string | null {
  const collection = config.collections[root];
  const names = [`${root}/${path}`, ...(collection ? [`${collection.path}/${path}`] : [])];
  const matching = Object.entries(config.contexts)
    .flatMap(([folder, text]) => {
      const name = names.find((name) => isInside(name, folder));
      return name === undefined ? [] : [{ folder, text, below: name.length - folder.length }];
    })
    .sort((a, b) => b.below - a.below || a.folder.length - b.folder.length);
  return matching.length === 0 ? null : matching.map(({ text }) => text).join("\n\n");
}

function isInside(name: string, folder: string): boolean {
  const trimmed = folder.replace(/\/+$/, "");
  return name === trimmed || name.startsWith(`${trimmed}/`);
}
