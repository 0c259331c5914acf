import { notFound } from "../../../kernel/failure.ts";
import type { Config } from "../../../kernel/home/config.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import type { SearchState } from "../state.ts";

interface DescribedCollection {
  name: string;
  path: string;
  pattern: string;
  ignore: string[] | undefined;
  documents: number;
  lastUpdated: string;
}

/** All collections with their index state, by name. */
export function* describeCollections(state: SearchState): Steps<DescribedCollection[]> {
  const described: DescribedCollection[] = [];
  for (const name of Object.keys(state.config.read().collections).sort()) {
    described.push(yield* describeCollection(state, name));
  }
  return described;
}

export function* describeCollection(
  { config, documents }: SearchState,
  name: string,
): Steps<DescribedCollection> {
  const { path, pattern, ignore, added } = requireCollection(config.read(), name);
  const read = (yield* documents.lastRead(name)) || Date.parse(added ?? "") || 0;
  return {
    name,
    path,
    pattern,
    ignore,
    documents: yield* documents.count({ root: name }),
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
