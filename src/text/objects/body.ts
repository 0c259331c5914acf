import { type Block, type Bullet, type BulletList, blocksOf } from "./blocks.ts";
import { isPipe, type KeyedBullet, keyed, looksKeyed, readField } from "./bullets.ts";
import { addComment, addWholeComment, endComment } from "./comments.ts";
import type { Complaints } from "./complaints.ts";
import { type Draft, setTypedField } from "./draft.ts";
import { referenceTo } from "./ids.ts";
import { collectReferences } from "./references.ts";
import { type LineIndex, type Source, slice } from "./source.ts";

/** What every part of the parser reads from and complains to. */
export interface Reading {
  source: Source;
  complaints: Complaints;
}

/** Reads the lines below an object's heading: fields where there are bullets with keys. */
export function readBody(
  reading: Reading,
  draft: Draft,
  from: LineIndex,
  to: LineIndex,
  /** Takes a block for the field that the lines stand under, or leaves it to the object. */
  takes: (block: Block) => boolean = () => false,
): void {
  for (const block of blocksOf(reading.source, from, to)) {
    if (takes(block)) continue;
    if (block.type === "bullets") readList(reading, draft, block);
    else addBlock(reading, draft, block);
  }
  endComment(draft);
}

function addBlock({ source }: Reading, draft: Draft, { type, start, end }: Block): void {
  addComment(draft, slice(source.lines, start, end), type === "paragraph");
  collectReferences(source, start, end, draft.references);
}

/** Whether a list is nothing but fields. */
export const isFieldList = (block: Block): boolean =>
  block.type === "bullets" && block.items.every((item) => keyed(item) !== undefined);

/**
 * A list without keys is a comment. In a list with keys the other items are comments, and so are
 * fields that the object has already. No list of an object has a say in the judgement of another.
 */
function readList(reading: Reading, draft: Draft, list: BulletList): void {
  const { source, complaints } = reading;
  const entries = list.items.map((item) => ({ item, field: keyed(item) }));
  const hasKeys = entries.some(({ field }) => field);
  const wrong = entries.find(({ item, field }) => !field && (hasKeys || looksKeyed(item)));
  if (wrong) complaints.ofObject("mixed_field_keys", draft.id, wrong.item.start);
  if (!hasKeys) {
    addBlock(reading, draft, list);
    return;
  }
  endComment(draft);
  for (let at = 0; at < entries.length; at++) {
    const { item, field } = entries[at] ?? {};
    if (!item) break;
    if (!field) {
      addItem(reading, draft, item);
      continue;
    }
    endComment(draft);
    const isKnown = (index: number) => draft.fields.has(entries[index]?.field?.key ?? "");
    if (!isKnown(at)) readBullet(reading, draft, field);
    else {
      const first = item.start;
      while (isKnown(at + 1)) at++;
      const end = entries[at]?.item.end ?? first;
      addWholeComment(draft, slice(source.lines, first, end));
      collectReferences(source, first, end, draft.references);
    }
  }
  endComment(draft);
}

function readBullet({ source, complaints }: Reading, draft: Draft, bullet: KeyedBullet): void {
  const { key, start, end, column } = bullet;
  const read = readField(source, bullet);
  if (!read) {
    complaints.ofObject("nested_subitems", draft.id, start, { field: key });
    return;
  }
  const isParent = key === "__parent" && draft.parent !== undefined;
  const field = isParent ? { value: referenceTo(draft.parent?.id ?? "") } : read;
  setTypedField(draft, key, field, { line: start, column });
  if (!isPipe(bullet)) collectReferences(source, start, end, draft.references);
}

function addItem({ source }: Reading, draft: Draft, { start, end }: Bullet): void {
  addComment(draft, slice(source.lines, start, end), false);
  collectReferences(source, start, end, draft.references);
}
