import type { DocumentPath } from "../../../kernel/documents/documents.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { foldName, wikiKeysOf } from "../../../text/markdown/wiki-links.ts";
import type { SearchState } from "../state.ts";
import { findDocumentAt, listPathsLike, listTitledLike, type TitledDocument } from "../storage.ts";
import { listAliasesInRoot } from "../storage-aliases.ts";

/**
 * The documents that `[[name]]` may refer to: by file name without a Markdown extension, in any case,
 * or else by alias. In each collection, a document in the top folder takes precedence, as for a link
 * on a page there.
 */
export function* findByNoteName(state: SearchState, given: string): Steps<TitledDocument[]> {
  const name = foldName(given.trim());
  const similar = yield* listPathsLike(name);
  const named = similar.filter(({ root, path }) => isNamed(`${root}/${path}`, name));
  const isTop = (path: string) => wikiKeysOf(path).includes(name) && !path.includes("/");
  const found = named.filter(
    ({ root, path }) =>
      isTop(path) || !named.some((other) => other.root === root && isTop(other.path)),
  );
  const places = found.length > 0 ? found : yield* findByAlias(state, name);
  const documents: TitledDocument[] = [];
  for (const { root, path } of places) {
    const document = yield* findDocumentAt(root, path);
    if (document) documents.push(document);
  }
  return documents;
}

/** The documents with this title, in any case. Wiki links do not find them, but readers see titles. */
export function* findByTitle(_state: SearchState, given: string): Steps<TitledDocument[]> {
  const wanted = foldName(given.trim());
  const similar = yield* listTitledLike(wanted);
  return similar.filter(({ title }) => foldName(title) === wanted).slice(0, maxCandidates);
}

/** The most documents that an error lists. */
const maxCandidates = 20;

/** A name may include the collection and folders: `vault/area/Note`. */
const isNamed = (file: string, name: string): boolean =>
  [foldName(file), foldName(file).replace(/\.(?:md|mdx|markdown)$/, "")].some((path) =>
    `/${path}`.endsWith(`/${name}`),
  );

function* findByAlias({ config }: SearchState, name: string): Steps<DocumentPath[]> {
  const found: DocumentPath[] = [];
  for (const root of Object.keys(config.read().collections)) {
    const aliases = yield* listAliasesInRoot(root);
    const paths = aliases.filter(({ alias }) => foldName(alias) === name).map(({ path }) => path);
    found.push(...[...new Set(paths)].map((path) => ({ root, path })));
  }
  return found;
}
