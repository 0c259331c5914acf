import { Failure } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { findNearestQuote, findQuote } from "../../../text/spans/quote-search.ts";
import { requireCode } from "../codebook/code.ts";
import type { WriteContext } from "../project/project.ts";
import { findSegment, isPassageCoded, type SegmentRow } from "../qda/storage-segments.ts";
import {
  assertInsideText,
  readSourceText,
  requireSource,
  type SourceText,
} from "../sources/source.ts";

/** A passage by positions, by quote, or by both. */
interface RequestedRange {
  start_position?: number | undefined;
  end_position?: number | undefined;
  quote?: string | undefined;
}

/** A passage to code. */
export interface PassageRequest extends RequestedRange {
  code_id: number;
  source_id: number;
}

/** A passage of a text with its code. */
export interface CodedPassage {
  code: number;
  source: number;
  start: number;
  end: number;
  text: string;
}

/** A passage found in the text. */
export interface LocatedPassage extends CodedPassage {
  /** Whether the position or the wording differs from the request. */
  corrected: boolean;
}

/** Finds passages. Texts and codes are cached, since many requests may name the same one. */
export function createPassageLocator(db: Database): (request: PassageRequest) => LocatedPassage {
  const texts = cacheById((id) => {
    requireSource(db, id);
    return readSourceText(db, id);
  });
  const codes = cacheById((id) => requireCode(db, id));
  return (request) => {
    codes(request.code_id);
    const text = texts(request.source_id);
    return { code: request.code_id, source: request.source_id, ...locatePassage(text, request) };
  };
}

/** Finds a passage in one text. */
export function locatePassage(
  text: SourceText,
  request: RequestedRange,
): Omit<LocatedPassage, "code" | "source"> {
  const { start, end } =
    request.quote === undefined
      ? requirePositions(request)
      : locateQuote(text, { ...request, quote: request.quote });
  assertInsideText(text, start, end);
  const passageText = text.slice(start, end);
  const isElsewhere =
    (request.start_position ?? start) !== start || (request.end_position ?? end) !== end;
  return {
    start,
    end,
    text: passageText,
    corrected: isElsewhere || (request.quote ?? passageText) !== passageText,
  };
}

export function requireSegment(db: Database, id: number, code = "SEGMENT_NOT_FOUND"): SegmentRow {
  const segment = findSegment(db, id);
  if (segment) return segment;
  throw new Failure("not-found", code, `Segment not found: ${id}`, {
    hints: ["list_segments_for_source lists the ids."],
  });
}

/** Fails if the coder has already coded this passage with this code. */
export function assertNotCoded(
  db: Database,
  coding: CodedPassage & { owner: string | null },
): void {
  if (!isPassageCoded(db, coding)) return;
  throw new Failure(
    "conflict",
    "DUPLICATE_SEGMENT",
    "The same coder has already coded this passage with this code",
  );
}

/** Inserts a coding and returns its id. */
export const insertCoding = (
  { writer, owner, date }: WriteContext,
  { code, source, start, end, text }: CodedPassage,
  { memo = "", importance = 0 }: { memo?: string | undefined; importance?: number } = {},
): number =>
  writer.insert("code_text", {
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

/** The error code of a request that does not identify a passage. */
export const invalidOperationCode = "INVALID_OPERATION";

function requirePositions({ start_position: start, end_position: end }: RequestedRange) {
  if (start === undefined || end === undefined) {
    throw new Failure(
      "invalid",
      invalidOperationCode,
      "Give start_position and end_position, or quote",
    );
  }
  return { start, end };
}

/** If the quote occurs several times, the occurrence nearest to the given position is used. */
function locateQuote(
  text: SourceText,
  { quote, start_position: hint }: RequestedRange & { quote: string },
) {
  const occurrences =
    hint === undefined
      ? findQuote(text.text, quote)
      : [findNearestQuote(text.text, quote, text.unitAt(hint))].filter(
          (occurrence) => occurrence !== undefined,
        );
  const [candidate, ...others] = occurrences.map(({ start, end }) => ({
    start: text.codePointAt(start),
    end: text.codePointAt(end),
  }));
  if (!candidate) {
    throw new Failure("not-found", "QUOTE_NOT_FOUND", "The quote is not in the source's text", {
      hints: ["Copy the quote from read_source_content."],
    });
  }
  if (others.length === 0) return candidate;
  const starts = [candidate, ...others].slice(0, 10).map(({ start }) => start);
  throw new Failure(
    "conflict",
    "QUOTE_AMBIGUOUS",
    `The quote occurs ${occurrences.length} times, for example at ${starts.join(", ")}; also give start_position`,
  );
}

function cacheById<Value>(load: (id: number) => Value): (id: number) => Value {
  const cache = new Map<number, Value>();
  return (id) => {
    const value = cache.get(id) ?? load(id);
    cache.set(id, value);
    return value;
  };
}
