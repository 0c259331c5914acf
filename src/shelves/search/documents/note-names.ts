import { foldName, wikiKeysOf } from "../../../text/markdown/wiki-links.ts";
import type { SearchState } from "../state.ts";
import { findDocumentAt, listPathsLike, type TitledDocument } from "../storage.ts";
import { listAliasesInRoot } from "../storage-aliases.ts";

/**
 * The documents that `[[name]]` may refer to: by file name without a Markdown extension, in any case,
 * or else by alias. In each collection, a document in the top folder takes precedence, as for a link
 * on a page there.
 */
export function findByNoteName(state: SearchState, given: string): TitledDocument[] {
  const name = foldName(given.trim());
  const named = listPathsLike(state.db, name).filter(({ root, path }) =>
    isNamed(`${root}/${path}`, name),
  );
  const isTop = (path: string) => wikiKeysOf(path).includes(name) && !path.includes("/");
  const found = named.filter(
    ({ root, path }) =>
      isTop(path) || !named.some((other) => other.root === root && isTop(other.path)),
  );
  const places = found.length > 0 ? found : findByAlias(state, name);
  return places.flatMap(({ root, path }) => findDocumentAt(state.db, root, path) ?? []);
}

/** A name may include the collection and folders: `vault/area/Note`. */
const isNamed = (file: string, name: string): boolean =>
  [foldName(file), foldName(file).replace(/\.(?:md|mdx|markdown)$/, "")].some((path) =>
    `/${path}`.endsWith(`/${name}`),
  );

function findByAlias({ db, config }: SearchState, name: string) {
  const found = Object.keys(config.read().collections).flatMap((root) =>
    listAliasesInRoot(db, root)
      .filter(({ alias }) => foldName(alias) === name)
      .map(({ path }) => `${root}/${path}`),
  );
  return [...new Set(found)].map((file) => {
    const slash = file.indexOf("/");
    return { root: file.slice(0, slash), path: file.slice(slash + 1) };
  });
}
