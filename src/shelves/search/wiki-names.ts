import { groupedBy } from "../../text/grouped.ts";
import { pathOfName, wikiKey, wikiKeysOf } from "../../text/wiki-links.ts";
import type { SearchState } from "./state.ts";
import { pathsIn } from "./storage.ts";

/** The path that a wiki link, `Note#Heading`, means on the page at `from`. */
export type PathOfLink = (destination: string, from: string) => string | undefined;

/** Finds what the wiki links of a collection mean. Its paths are read when the first is asked for. */
export function wikiNamesOf({ db }: SearchState, root: string): PathOfLink {
  let paths: Map<string, { path: string }[]> | undefined;
  return (destination, from) => {
    paths ??= groupedBy(
      pathsIn(db, root).flatMap((path) => wikiKeysOf(path).map((key) => ({ key, path }))),
      ({ key }) => key,
    );
    const [name = ""] = destination.split("#");
    const known = paths.get(wikiKey(name)) ?? [];
    return pathOfName(
      name,
      from,
      known.map(({ path }) => path),
    );
  };
}
