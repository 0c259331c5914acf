import type { Database } from "../../kernel/database.ts";
import { Failure } from "../../kernel/failure.ts";
import { nearestPlace, placesOf } from "../../text/quotes.ts";
import { codeById } from "./code.ts";
import type { Hand } from "./project.ts";
import { findSegment, isCoded, type SegmentRow } from "./qda/storage-segments.ts";
import { readText, refuseOutside, type SourceText, sourceById } from "./source.ts";

/** A passage by its positions, by its words, or by both. */
interface Range {
  start_position?: number | undefined;
  end_position?: number | undefined;
  quote?: string | undefined;
}

/** A passage that somebody wants coded. */
export interface Wanted extends Range {
  code_id: number;
  source_id: number;
}

/** A passage of a text with its code. */
export interface Passage {
  code: number;
  source: number;
  start: number;
  end: number;
  text: string;
}

/** The passage as it stands in the text. */
export interface Placed extends Passage {
  /** True where it lies elsewhere, or reads a little otherwise, than was said. */
  corrected: boolean;
}

/** Finds passages; each text is read and each code looked up once, however many items name them. */
export function makePlacer(db: Database): (wanted: Wanted) => Placed {
  const texts = remembered((id) => {
    sourceById(db, id);
    return readText(db, id);
  });
  const codes = remembered((id) => codeById(db, id));
  return (wanted) => {
    codes(wanted.code_id);
    const text = texts(wanted.source_id);
    return { code: wanted.code_id, source: wanted.source_id, ...placedIn(text, wanted) };
  };
}

/** The passage of a text that is wanted, whatever its code. */
export function placedIn(text: SourceText, wanted: Range): Omit<Placed, "code" | "source"> {
  const { start, end } =
    wanted.quote === undefined
      ? rangeIn(wanted)
      : placeOfQuote(text, { ...wanted, quote: wanted.quote });
  refuseOutside(text, start, end);
  const words = text.slice(start, end);
  const isElsewhere =
    (wanted.start_position ?? start) !== start || (wanted.end_position ?? end) !== end;
  return { start, end, text: words, corrected: isElsewhere || (wanted.quote ?? words) !== words };
}

export function segmentById(db: Database, id: number, code = "SEGMENT_NOT_FOUND"): SegmentRow {
  const segment = findSegment(db, id);
  if (segment) return segment;
  throw new Failure("not-found", code, `Segment not found: ${id}`, {
    hints: ["list_segments_for_source gives the ids."],
  });
}

/** A coder marks a passage with a code once. */
export function refuseCoded(db: Database, coding: Passage & { owner: string | null }): void {
  if (!isCoded(db, coding)) return;
  throw new Failure(
    "conflict",
    "DUPLICATE_SEGMENT",
    "This passage has this code already, by the same coder",
  );
}

/** Writes one coding, and gives its number. */
export const codePassage = (
  { pen, owner, date }: Hand,
  { code, source, start, end, text }: Passage,
  { memo = "", importance = 0 }: { memo?: string | undefined; importance?: number } = {},
): number =>
  pen.insert("code_text", {
    cid: code,
    fid: source,
    seltext: text,
    pos0: start,
    pos1: end,
    owner,
    date,
    memo,
    important: importance || null,
  });

/** What was wanted does not say which passage it is. */
export const unreadable = "INVALID_OPERATION";

function rangeIn({ start_position: start, end_position: end }: Range) {
  if (start === undefined || end === undefined) {
    throw new Failure(
      "invalid",
      unreadable,
      "Give start_position and end_position, or the words as quote",
    );
  }
  return { start, end };
}

/** Where the words stand several times, the position that was given with them says which. */
function placeOfQuote(
  text: SourceText,
  { quote, start_position: hint }: Range & { quote: string },
) {
  const places =
    hint === undefined
      ? placesOf(text.text, quote)
      : [nearestPlace(text.text, quote, text.unitAt(hint))].filter((place) => place !== undefined);
  const [place, ...others] = places.map(({ start, end }) => ({
    start: text.codePointAt(start),
    end: text.codePointAt(end),
  }));
  if (!place) {
    throw new Failure("not-found", "QUOTE_NOT_FOUND", "The quote is not in the source's text", {
      hints: ["Give the words as read_source_content shows them."],
    });
  }
  if (others.length === 0) return place;
  const starts = [place, ...others].slice(0, 10).map(({ start }) => start);
  throw new Failure(
    "conflict",
    "QUOTE_AMBIGUOUS",
    `The quote is there ${places.length} times, such as at ${starts.join(", ")}; give start_position too`,
  );
}

function remembered<Value>(look: (id: number) => Value): (id: number) => Value {
  const known = new Map<number, Value>();
  return (id) => {
    const value = known.get(id) ?? look(id);
    known.set(id, value);
    return value;
  };
}
