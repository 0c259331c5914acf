import { notFound } from "../../../kernel/failure.ts";
import type { Config } from "../../../kernel/home/config.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import type { SearchState } from "../state.ts";

/** All collections with their index state, by name. */
export const describeCollections = (state: SearchState) =>
  Object.keys(state.config.read().collections)
    .sort()
    .map((name) => describeCollection(state, name));

export function describeCollection({ config, documents }: SearchState, name: string) {
  const { path, pattern, ignore, added } = requireCollection(config.read(), name);
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

/** A collection by name. An unknown name is an error, not an empty result. */
export function requireCollection(config: Config, name: string): Config["collections"][string] {
  const known = config.collections[name];
  if (known) return known;
  const names = Object.keys(config.collections);
  const guess = similarNames(name, names)[0];
  throw notFound(`Collection not found: ${name}`, [
    guess ? `Did you mean '${guess}'?` : `Collections: ${names.join(", ") || "none yet"}.`,
  ]);
}
