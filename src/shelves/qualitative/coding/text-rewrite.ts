import { applyTextEdits, diffEdits, type TextEdit } from "../../../text/edits/edits.ts";
import { type CodePointOffsets, codePointOffsets } from "../../../text/spans/offsets.ts";
import { type SpanFate, trackSpans } from "../../../text/spans/span-tracker.ts";
import type { WriteContext } from "../project/project.ts";
import {
  type AnchoredRow,
  anchoredRowsOf,
  findWholeRow,
  textRevisionOf,
} from "../qda/storage-anchors.ts";
import { saveSourceExtras } from "../sources/source.ts";

/** A text before and after a change, with the edits between them, given or computed by a diff. */
export interface TextRewrite {
  before: string;
  after: string;
  edits: TextEdit[];
  isGuess: boolean;
}

export const rewriteByEdits = (before: string, edits: TextEdit[]): TextRewrite => ({
  before,
  after: applyTextEdits(before, edits),
  edits,
  isGuess: false,
});

export const rewriteByDiff = (before: string, after: string): TextRewrite => ({
  before,
  after,
  edits: diffEdits(before, after),
  isGuess: true,
});

/** The new range of an anchored row. */
export interface FollowedRow {
  row: AnchoredRow;
  fate: SpanFate["fate"];
  score: number;
  /** In code points of the new text; absent if there is no candidate. */
  range?: { start: number; end: number };
}

/** Computes where the rows of a source would move. Writes nothing. */
export function followRows(rows: readonly AnchoredRow[], rewriting: TextRewrite): FollowedRow[] {
  const { before, after, edits, isGuess } = rewriting;
  const [old, fresh] = [codePointOffsets(before), codePointOffsets(after)];
  const follow = trackSpans(before, after, edits, { isGuess });
  const followed = rows.map((row): FollowedRow => {
    if (isWholeTextOfCase(row, old)) {
      return { row, fate: "kept", score: 1, range: { start: 0, end: fresh.length } };
    }
    if (row.start === row.end) return { row, fate: "kept", score: 1, range: row };
    const { fate, score, place } = follow({
      start: old.unitAt(row.start),
      end: old.unitAt(row.end),
    });
    if (!place || place.start >= place.end) return { row, fate, score };
    const { start, end } = place;
    return {
      row,
      fate,
      score,
      range: { start: fresh.codePointAt(start), end: fresh.codePointAt(end) },
    };
  });
  return withCollisionsLost(followed);
}

/**
 * If two rows moved to the same range, the row with the unchanged text keeps it and the other is
 * lost.
 */
function withCollisionsLost(followed: readonly FollowedRow[]): FollowedRow[] {
  const occupied = new Set<string>();
  const isFirst = (row: FollowedRow): boolean => {
    const key = row.range ? positionKeyOf(row, row.range) : "";
    return occupied.has(key) ? false : Boolean(occupied.add(key));
  };
  const byFate = (isKept: boolean) =>
    followed.filter(({ fate }) => fate !== "lost" && (fate === "kept") === isKept);
  const colliding = new Set([...byFate(true), ...byFate(false)].filter((row) => !isFirst(row)));
  return followed.map((row) => (colliding.has(row) ? { ...row, fate: "lost" } : row));
}

const positionKeyOf = (
  { row }: FollowedRow,
  { start, end }: { start: number; end: number },
): string => `${row.table} ${start} ${end} ${row.twin}`;

/** A case linked to the whole text stays linked to the whole text. */
const isWholeTextOfCase = (
  { table, start, end }: AnchoredRow,
  { length }: CodePointOffsets,
): boolean => table === "case_text" && start === 0 && end === length && length > 0;

/** Writes the new text and the moved rows; lost rows go to the inbox. */
export function rewriteSource(
  context: WriteContext,
  source: number,
  rewriting: TextRewrite,
): FollowedRow[] {
  const { writer, db, date } = context;
  const rows = anchoredRowsOf(db, source);
  const all = followRows(rows, rewriting);
  const [old, fresh] = [codePointOffsets(rewriting.before), codePointOffsets(rewriting.after)];
  writer.update("source", source, { fulltext: rewriting.after });
  saveSourceExtras(context, source, { revision: textRevisionOf(db, source) + 1 });
  for (const { row, fate, range, score } of all) {
    if (fate !== "lost") continue;
    const was = findWholeRow(db, row.table, row.id);
    writer.remove(row.table, row.id);
    writer.insert("lectern_inbox", {
      source_id: source,
      kind: row.table,
      cid: was?.cid ?? null,
      was: JSON.stringify({ rowid: row.id, ...was }),
      quote: old.slice(row.start, row.end),
      pos0: range?.start ?? null,
      pos1: range?.end ?? null,
      score,
      date,
    });
  }
  const moving = all.filter(
    ({ fate, row, range }) =>
      fate !== "lost" &&
      (fate === "changed" || row.start !== range?.start || row.end !== range.end),
  );
  for (const { row } of blockedRows(moving)) {
    writer.update(row.table, row.id, { pos0: -row.id, pos1: -row.id });
  }
  for (const { row, range } of moving) {
    if (!range) continue;
    writer.update(row.table, row.id, {
      pos0: range.start,
      pos1: range.end,
      ...(row.table === "code_text" && { seltext: fresh.slice(range.start, range.end) }),
    });
  }
  return all;
}

/**
 * Rows whose current range is the new range of another row. They move to a temporary range first.
 */
function blockedRows(moving: readonly FollowedRow[]): FollowedRow[] {
  const targets = new Set(
    moving.flatMap((row) => (row.range ? [positionKeyOf(row, row.range)] : [])),
  );
  return moving.filter((row) => targets.has(positionKeyOf(row, row.row)));
}
