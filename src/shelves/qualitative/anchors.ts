import { applied, type Edit, editsBetween } from "../../text/edits.ts";
import { type Fate, followPassages } from "../../text/following.ts";
import { type Offsets, offsetsOf } from "../../text/offsets.ts";
import type { Hand } from "./project.ts";
import { type AnchoredRow, anchoredIn, revisionOf, wholeRow } from "./qda/storage-anchors.ts";
import { noteBeside } from "./source.ts";

/** A text and another in its place: by edits that somebody has told, or only by what it is now. */
export interface Rewriting {
  before: string;
  after: string;
  edits: Edit[];
  isGuess: boolean;
}

export const toldRewriting = (before: string, edits: Edit[]): Rewriting => ({
  before,
  after: applied(before, edits),
  edits,
  isGuess: false,
});

export const guessedRewriting = (before: string, after: string): Rewriting => ({
  before,
  after,
  edits: editsBetween(before, after),
  isGuess: true,
});

/** What became of something that stood in the text. */
export interface Followed {
  row: AnchoredRow;
  fate: Fate["fate"];
  score: number;
  /** In code points of the new text; absent where nobody knows. */
  place?: { start: number; end: number };
}

/** Where all that stands in a source would stand after this, with nothing written. */
export function followed(rows: readonly AnchoredRow[], rewriting: Rewriting): Followed[] {
  const { before, after, edits, isGuess } = rewriting;
  const [old, fresh] = [offsetsOf(before), offsetsOf(after)];
  const follow = followPassages(before, after, edits, { isGuess });
  const found = rows.map((row): Followed => {
    if (isWhole(row, old)) {
      return { row, fate: "kept", score: 1, place: { start: 0, end: fresh.length } };
    }
    if (row.start === row.end) return { row, fate: "kept", score: 1, place: row };
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
      place: { start: fresh.codePointAt(start), end: fresh.codePointAt(end) },
    };
  });
  return withoutDoubles(found);
}

/** Two that fell together cannot both stand there: whoever was not touched stays, the other waits. */
function withoutDoubles(found: readonly Followed[]): Followed[] {
  const taken = new Set<string>();
  const isFirst = (one: Followed): boolean => {
    const key = one.place ? keyAt(one, one.place) : "";
    return taken.has(key) ? false : Boolean(taken.add(key));
  };
  const byFate = (isKept: boolean) =>
    found.filter(({ fate }) => fate !== "lost" && (fate === "kept") === isKept);
  const doubles = new Set([...byFate(true), ...byFate(false)].filter((one) => !isFirst(one)));
  return found.map((one) => (doubles.has(one) ? { ...one, fate: "lost" } : one));
}

const keyAt = ({ row }: Followed, { start, end }: { start: number; end: number }): string =>
  `${row.table} ${start} ${end} ${row.twin}`;

/** A case may have all of a text, however long that is. */
const isWhole = ({ table, start, end }: AnchoredRow, { length }: Offsets): boolean =>
  table === "case_text" && start === 0 && end === length && length > 0;

/** Writes the new text, and everything in it where it stands now; what is lost waits in the inbox. */
export function rewrite(hand: Hand, source: number, rewriting: Rewriting): Followed[] {
  const { pen, db, date } = hand;
  const rows = anchoredIn(db, source);
  const all = followed(rows, rewriting);
  const [old, fresh] = [offsetsOf(rewriting.before), offsetsOf(rewriting.after)];
  pen.update("source", source, { fulltext: rewriting.after });
  noteBeside(hand, source, { revision: revisionOf(db, source) + 1 });
  for (const { row, fate, place, score } of all) {
    if (fate !== "lost") continue;
    const was = wholeRow(db, row.table, row.id);
    pen.remove(row.table, row.id);
    pen.insert("lectern_inbox", {
      source_id: source,
      kind: row.table,
      cid: was?.cid ?? null,
      was: JSON.stringify({ rowid: row.id, ...was }),
      quote: old.slice(row.start, row.end),
      pos0: place?.start ?? null,
      pos1: place?.end ?? null,
      score,
      date,
    });
  }
  const moving = all.filter(
    ({ fate, row, place }) =>
      fate !== "lost" &&
      (fate === "changed" || row.start !== place?.start || row.end !== place.end),
  );
  for (const { row } of blocked(moving)) {
    pen.update(row.table, row.id, { pos0: -row.id, pos1: -row.id });
  }
  for (const { row, place } of moving) {
    if (!place) continue;
    pen.update(row.table, row.id, {
      pos0: place.start,
      pos1: place.end,
      ...(row.table === "code_text" && { seltext: fresh.slice(place.start, place.end) }),
    });
  }
  return all;
}

/** Those whose place another of their kind is to take before they have left it; they step aside. */
function blocked(moving: readonly Followed[]): Followed[] {
  const targets = new Set(moving.flatMap((one) => (one.place ? [keyAt(one, one.place)] : [])));
  return moving.filter((one) => targets.has(keyAt(one, one.row)));
}
