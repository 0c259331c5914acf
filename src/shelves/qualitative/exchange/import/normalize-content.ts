import { unreadableFile } from "../../../../kernel/formats/file-errors.ts";
import type { Authorship, Content, SourceContent } from "../content.ts";
import type { LossReport } from "../losses.ts";
import { createUniqueNamer } from "../unique-names.ts";

/**
 * Makes the content satisfy the project's constraints: unique names, an owner for everything, and
 * at most one coding per coder, passage and code.
 */
export function normalizeContent(content: Content, coder: string, losses: LossReport): void {
  assertPassagesNotTooLong(content);
  makeNamesUnique(content.categories, "Categories whose name was already used", losses);
  makeNamesUnique(content.codes, "Codes whose name was already used", losses);
  makeNamesUnique(content.sources, "Sources whose name was already used", losses);
  makeNamesUnique(content.cases, "Cases whose name was already used", losses);
  makeNamesUnique(content.attributes, "Attributes whose name was already used", losses);
  makeNamesUnique(content.journals, "Journals whose name was already used", losses);
  const owned = <Item extends Authorship>(items: readonly Item[]): Item[] =>
    items.map((item) => ({ ...item, owner: item.owner ?? coder }));
  for (const source of content.sources) {
    source.owner ??= coder;
    source.passages = mergeDuplicates(owned(source.passages), ({ code }) => code, source, losses);
    source.annotations = mergeDuplicates(owned(source.annotations), () => "", source, losses);
    source.areas = owned(source.areas);
    source.mediaRanges = owned(source.mediaRanges);
  }
  content.journals = owned(content.journals);
}

/** Each coding stores its text, so a small file with long passages could fill the disk. */
const maxPassageChars = 500_000_000;

function assertPassagesNotTooLong({ sources }: Content): void {
  const chars = sources
    .flatMap(({ passages }) => passages)
    .reduce((sum, { start, end }) => sum + (end - start), 0);
  if (chars > maxPassageChars) throw unreadableFile("its passages are far longer than its texts");
}

function makeNamesUnique(items: { name: string }[], what: string, losses: LossReport): void {
  const unique = createUniqueNamer();
  for (const item of items) {
    const name = unique(item.name || "Untitled");
    if (item.name && name !== item.name) losses.add("renamed", what, `${item.name} → ${name}`);
    item.name = name;
  }
}

/** Merges duplicates with the same passage and joins their memos. */
function mergeDuplicates<Item extends Authorship & { start: number; end: number; memo: string }>(
  items: readonly Item[],
  subjectOf: (item: Item) => string,
  { name }: SourceContent,
  losses: LossReport,
): Item[] {
  const known = new Map<string, Item>();
  for (const item of items) {
    const key = JSON.stringify([subjectOf(item), item.start, item.end, item.owner]);
    const duplicate = known.get(key);
    if (!duplicate) {
      known.set(key, item);
      continue;
    }
    losses.add("changed", "Duplicate passages, now merged", name);
    if (item.memo !== "" && item.memo !== duplicate.memo) {
      duplicate.memo = duplicate.memo === "" ? item.memo : `${duplicate.memo}\n${item.memo}`;
    }
  }
  return [...known.values()];
}
