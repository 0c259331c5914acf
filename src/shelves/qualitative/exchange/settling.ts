import { unreadable } from "../../../kernel/formats/unreadable.ts";
import type { Content, Made, SourceContent } from "./content.ts";
import type { Losses } from "./losses.ts";
import { uniqueNames } from "./unique-names.ts";

/**
 * Makes a content fit into a project: names are there once, as its tables demand, everything has
 * an owner, and no coder has coded one passage twice with one code.
 */
export function settle(content: Content, coder: string, losses: Losses): void {
  refuseSwollen(content);
  rename(content.categories, "Categories of a name that was taken", losses);
  rename(content.codes, "Codes of a name that was taken", losses);
  rename(content.sources, "Sources of a name that was taken", losses);
  rename(content.cases, "Cases of a name that was taken", losses);
  rename(content.attributes, "Attributes of a name that was taken", losses);
  rename(content.journals, "Journals of a name that was taken", losses);
  const owned = <Item extends Made>(items: readonly Item[]): Item[] =>
    items.map((item) => ({ ...item, owner: item.owner ?? coder }));
  for (const source of content.sources) {
    source.owner ??= coder;
    source.passages = once(owned(source.passages), ({ code }) => code, source, losses);
    source.annotations = once(owned(source.annotations), () => "", source, losses);
    source.areas = owned(source.areas);
    source.stretches = owned(source.stretches);
  }
  content.journals = owned(content.journals);
}

/** Each coding keeps its words, so that a small file of long passages could fill a disk. */
const mostLetters = 500_000_000;

function refuseSwollen({ sources }: Content): void {
  const letters = sources
    .flatMap(({ passages }) => passages)
    .reduce((sum, { start, end }) => sum + (end - start), 0);
  if (letters > mostLetters) throw unreadable("its passages are far longer than its texts");
}

function rename(items: { name: string }[], what: string, losses: Losses): void {
  const unique = uniqueNames();
  for (const item of items) {
    const name = unique(item.name || "Untitled");
    if (item.name && name !== item.name) losses.add("renamed", what, `${item.name} → ${name}`);
    item.name = name;
  }
}

/** Two that say the same of one passage become one, with the memos of both. */
function once<Item extends Made & { start: number; end: number; memo: string }>(
  items: readonly Item[],
  about: (item: Item) => string,
  { name }: SourceContent,
  losses: Losses,
): Item[] {
  const known = new Map<string, Item>();
  for (const item of items) {
    const key = JSON.stringify([about(item), item.start, item.end, item.owner]);
    const twin = known.get(key);
    if (!twin) {
      known.set(key, item);
      continue;
    }
    losses.add("changed", "Passages that were marked twice alike, now once", name);
    if (item.memo !== "" && item.memo !== twin.memo) {
      twin.memo = twin.memo === "" ? item.memo : `${twin.memo}\n${item.memo}`;
    }
  }
  return [...known.values()];
}
