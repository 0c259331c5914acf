import type { Config } from "../../kernel/config.ts";
import { notFound } from "../../kernel/failure.ts";
import { nearest } from "../../text/similar-names.ts";
import type { SearchState } from "./state.ts";

/** Every collection as the index has it, in the order of their names. */
export const collectionsOf = (state: SearchState) =>
  Object.keys(state.config.read().collections)
    .sort()
    .map((name) => describeCollection(state, name));

export function describeCollection({ config, documents }: SearchState, name: string) {
  const { path, pattern, ignore, added } = collectionNamed(config.read(), name);
  const read = documents.lastRead(name) || Date.parse(added ?? "") || 0;
  return {
    name,
    path,
    pattern,
    ignore,
    documents: documents.count({ root: name }),
    lastUpdated: new Date(read).toISOString(),
  };
}

/** A collection by its name; a wrong one is an error and never an empty result. */
export function collectionNamed(config: Config, name: string): Config["collections"][string] {
  const known = config.collections[name];
  if (known) return known;
  const names = Object.keys(config.collections);
  const guess = nearest(name, names)[0];
  throw notFound(`Collection not found: ${name}`, [
    guess ? `Did you mean '${guess}'?` : `Collections: ${names.join(", ") || "none yet"}.`,
  ]);
}
