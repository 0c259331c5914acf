import type { Selection } from "./selection.ts";

/** Names by their numbers, of what a selection is about. */
export function namesIn({ codes, sources, cases }: Pick<Selection, "codes" | "sources" | "cases">) {
  return { code: finder(codes), source: finder(sources), case: finder(cases) };
}

function finder(items: readonly { id: number; name: string }[]): (id: number) => string {
  const names = new Map(items.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `${id}`;
}
