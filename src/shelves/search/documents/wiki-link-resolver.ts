import type { Steps } from "../../../kernel/storage/steps.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import {
  foldName,
  nearestPath,
  resolveWikiLink,
  wikiKey,
  wikiKeysOf,
} from "../../../text/markdown/wiki-links.ts";
import { listPathsInRoot } from "../storage.ts";
import { listAliasesInRoot } from "../storage-aliases.ts";

/** Resolves a wiki link, `Note#Heading`, on the page at `from` to a path. */
export type ResolveWikiLink = (destination: string, from: string) => Steps<string | undefined>;

/**
 * Resolves the wiki links of a collection. A file name takes precedence over an alias. Paths and
 * aliases are read on first use.
 */
export function createWikiLinkResolver(root: string): ResolveWikiLink {
  let paths: Map<string, { path: string }[]> | undefined;
  let aliases: Map<string, { path: string }[]> | undefined;
  return function* resolve(destination, from) {
    paths ??= groupBy(
      (yield* listPathsInRoot(root)).flatMap((path) =>
        wikiKeysOf(path).map((key) => ({ key, path })),
      ),
      ({ key }) => key,
    );
    const [name = ""] = destination.split("#");
    const named = resolveWikiLink(name, from, pathsOf(paths.get(wikiKey(name))));
    if (named !== undefined) return named;
    aliases ??= groupBy(yield* listAliasesInRoot(root), ({ alias }) => foldName(alias));
    return nearestPath(from, pathsOf(aliases.get(foldName(name))));
  };
}

const pathsOf = (documents: readonly { path: string }[] = []): string[] =>
  documents.map(({ path }) => path);
