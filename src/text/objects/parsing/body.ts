import { referenceTo } from "../ids.ts";
import { type Block, type Bullet, type BulletList, parseBlocks } from "./blocks.ts";
import {
  isPipeText,
  type KeyedBullet,
  looksKeyed,
  parseFieldValue,
  parseKeyedBullet,
} from "./bullets.ts";
import { addComment, addSeparateComment, endComment } from "./comments.ts";
import { type ObjectDraft, setTypedField } from "./object-draft.ts";
import type { ParseErrors } from "./parse-errors.ts";
import { collectReferences } from "./references.ts";
import { type LineIndex, type SourceLines, trimmedSlice } from "./source.ts";

/** The state that all parts of the parser share. */
export interface ParseContext {
  source: SourceLines;
  errors: ParseErrors;
}

/** Parses the lines below the heading of an object: bullets with keys are fields. */
export function readBody(
  context: ParseContext,
  draft: ObjectDraft,
  from: LineIndex,
  to: LineIndex,
  /** Adds a block to the field that the lines belong to; false leaves it to the object. */
  addToField: (block: Block) => boolean = () => false,
): void {
  for (const block of parseBlocks(context.source, from, to)) {
    if (addToField(block)) continue;
    if (block.type === "bullets") readList(context, draft, block);
    else addBlock(context, draft, block);
  }
  endComment(draft);
}

function addBlock({ source }: ParseContext, draft: ObjectDraft, { type, start, end }: Block): void {
  addComment(draft, trimmedSlice(source.lines, start, end), type === "paragraph");
  collectReferences(source, start, end, draft.references);
}

/** Whether a list consists only of fields. */
export const isFieldList = (block: Block): boolean =>
  block.type === "bullets" && block.items.every((item) => parseKeyedBullet(item) !== undefined);

/**
 * A list without keys is a comment. In a list with keys, other items and repeated fields are
 * comments. This is decided for each list separately.
 */
function readList(context: ParseContext, draft: ObjectDraft, list: BulletList): void {
  const { source, errors } = context;
  const entries = list.items.map((item) => ({ item, field: parseKeyedBullet(item) }));
  const hasKeys = entries.some(({ field }) => field);
  const invalid = entries.find(({ item, field }) => !field && (hasKeys || looksKeyed(item)));
  if (invalid) errors.addForObject("mixed_field_keys", draft.id, invalid.item.start);
  if (!hasKeys) {
    addBlock(context, draft, list);
    return;
  }
  endComment(draft);
  for (let at = 0; at < entries.length; at++) {
    const { item, field } = entries[at] ?? {};
    if (!item) break;
    if (!field) {
      addCommentItem(context, draft, item);
      continue;
    }
    endComment(draft);
    const isKnown = (index: number) => draft.fields.has(entries[index]?.field?.key ?? "");
    if (!isKnown(at)) readBullet(context, draft, field);
    else {
      const first = item.start;
      while (isKnown(at + 1)) at++;
      const end = entries[at]?.item.end ?? first;
      addSeparateComment(draft, trimmedSlice(source.lines, first, end));
      collectReferences(source, first, end, draft.references);
    }
  }
  endComment(draft);
}

function readBullet(
  { source, errors }: ParseContext,
  draft: ObjectDraft,
  bullet: KeyedBullet,
): void {
  const { key, start, end, column } = bullet;
  const read = parseFieldValue(source, bullet);
  if (!read) {
    errors.addForObject("nested_subitems", draft.id, start, { field: key });
    return;
  }
  const isParent = key === "__parent" && draft.parent !== undefined;
  const field = isParent ? { value: referenceTo(draft.parent?.id ?? "") } : read;
  setTypedField(draft, key, field, { line: start, column });
  if (!isPipeText(bullet)) collectReferences(source, start, end, draft.references);
}

function addCommentItem(
  { source }: ParseContext,
  draft: ObjectDraft,
  { start, end }: Bullet,
): void {
  addComment(draft, trimmedSlice(source.lines, start, end), false);
  collectReferences(source, start, end, draft.references);
}
