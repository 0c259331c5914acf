import type { CodingSelection } from "./selection.ts";

/** Names of the codes and sources of a selection, by id. */
export function nameLookupsOf({
  codes,
  sources,
  cases,
}: Pick<CodingSelection, "codes" | "sources" | "cases">) {
  return {
    code: createNameLookup(codes),
    source: createNameLookup(sources),
    case: createNameLookup(cases),
  };
}

function createNameLookup(items: readonly { id: number; name: string }[]): (id: number) => string {
  const names = new Map(items.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `${id}`;
}
