import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { trimmed } from "../../../text/sentences.ts";
import { codePassage, refuseCoded, segmentById } from "../coding.ts";
import { rewrittenMemo } from "../memo.ts";
import { isCoded, type SegmentRow } from "../qda/storage-segments.ts";
import { readText, refuseOutside, type SourceText } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput, position } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const Coding = z.object({
  segment_id: z.int(),
  start_position: z.int(),
  end_position: z.int(),
  selected_text: z.string(),
});

export const changeCoding = operation({
  name: "change_coding",
  title: "Change a coding",
  summary:
    "Change where a coding begins and ends, its memo or its importance; what is not given stays.",
  input: z.object({
    segment_id: idInput.describe("Number of the coding"),
    start_position: position.optional().describe("Where it begins now, in letters from 0"),
    end_position: position.optional().describe("Where it ends now"),
    memo: z.string().optional().describe("What is noted about it"),
    importance: z.int().min(0).max(3).optional().describe("How much it matters"),
  }),
  output: Coding.extend({ source_id: z.int(), change_id: changeId }),
  effect: "writes",
  expose: {
    http: "PUT /qualitative/segments/{segment_id}",
    cli: "project coding change <segment_id>",
  },
  example: { segment_id: 1, memo: "Said at once", importance: 2 },
  run({ segment_id, start_position, end_position, memo, importance }, state, call) {
    const changed = state
      .needed()
      .write({ call, operation: "change_coding", summary: "Changed a coding" }, ({ pen, db }) => {
        const segment = segmentById(db, segment_id);
        const start = start_position ?? segment.start;
        const end = end_position ?? segment.end;
        const isMoved = start !== segment.start || end !== segment.end;
        const source = readText(db, segment.source);
        refuseOutside(source, start, end);
        const selected_text = source.slice(start, end);
        if (isMoved) refuseCoded(db, { ...segment, start, end, text: selected_text });
        pen.update("code_text", segment_id, {
          ...(isMoved && { pos0: start, pos1: end, seltext: selected_text }),
          ...(memo !== undefined && { memo: rewrittenMemo(segment.memo, memo) }),
          ...(importance !== undefined && { important: importance || null }),
        });
        const { source: source_id } = segment;
        return { segment_id, source_id, start_position: start, end_position: end, selected_text };
      });
    call.announce({ topic: "segments.changed", about: String(changed.source_id) });
    return changed;
  },
  present: ({ selected_text }) => [text(`Changed the coding of '${selected_text}'.`)],
});

export const eraseCoding = operation({
  name: "erase_coding",
  title: "Erase a part of a coding",
  summary:
    "Take the code off a part of a coded passage. Erased in its middle, it becomes two codings.",
  input: z.object({
    segment_id: idInput.describe("Number of the coding"),
    start_position: position.describe("The part to erase, in the source's text"),
    end_position: position.describe("Where that part ends"),
  }),
  output: z.object({
    segment_id: z.int(),
    rest: z.array(Coding).describe("What is still coded"),
    change_id: changeId,
  }),
  effect: "writes",
  expose: {
    http: "POST /qualitative/segments/{segment_id}/erase",
    cli: "project coding erase <segment_id> <start_position> <end_position>",
  },
  example: { segment_id: 1, start_position: 2, end_position: 4 },
  run({ segment_id, start_position, end_position }, state, call) {
    const { source_id, ...erased } = state
      .needed()
      .write({ call, operation: "erase_coding", summary: "Erased a part of a coding" }, (hand) => {
        const segment = segmentById(hand.db, segment_id);
        const source = readText(hand.db, segment.source);
        refuseOutside(source, start_position, end_position);
        const left = leftOf(source, segment, { start: start_position, end: end_position });
        const rest = left.filter((part) => !isCoded(hand.db, { ...segment, ...part }));
        const [first, second] = rest;
        if (!first) throw nothingLeft();
        hand.pen.update("code_text", segment_id, {
          pos0: first.start,
          pos1: first.end,
          seltext: first.text,
        });
        const owner = segment.owner ?? "";
        const others = second
          ? [codePassage({ ...hand, owner }, { ...segment, ...second }, noteOf(segment))]
          : [];
        return {
          source_id: segment.source,
          rest: rest.map((part, at) => shown(others[at - 1] ?? segment_id, part)),
        };
      });
    call.announce({ topic: "segments.changed", about: String(source_id) });
    return { segment_id, ...erased };
  },
  present: ({ rest }) => [
    text(`Still coded: ${rest.map(({ selected_text }) => `'${selected_text}'`).join(" and ")}.`),
  ],
});

interface Part {
  start: number;
  end: number;
  text: string;
}

/** What lies before and behind the erased part, without the white space that was between. */
function leftOf(
  source: SourceText,
  { start, end }: Pick<SegmentRow, "start" | "end">,
  erased: { start: number; end: number },
): Part[] {
  if (erased.end <= start || end <= erased.start) {
    throw new Failure("invalid", "NOTHING_TO_ERASE", "This part does not lie in the coding.", {
      hints: ["list_segments_for_source tells where it begins and ends."],
    });
  }
  return [
    { start, end: Math.min(end, erased.start) },
    { start: Math.max(start, erased.end), end },
  ]
    .filter((part) => part.start < part.end && source.slice(part.start, part.end).trim() !== "")
    .map((part) => {
      const units = { start: source.unitAt(part.start), end: source.unitAt(part.end) };
      const kept = trimmed(source.text, units);
      return {
        start: source.codePointAt(kept.start),
        end: source.codePointAt(kept.end),
        text: source.text.slice(kept.start, kept.end),
      };
    });
}

const noteOf = ({ memo, importance }: SegmentRow) => ({ memo: memo ?? "", importance });

const shown = (segment_id: number, { start, end, text: selected_text }: Part) => ({
  segment_id,
  start_position: start,
  end_position: end,
  selected_text,
});

const nothingLeft = (): Failure =>
  new Failure("conflict", "NOTHING_LEFT", "Nothing of the coding would be left.", {
    hints: ["remove_coding takes it off as a whole."],
  });

export const recodingOperations = [changeCoding, eraseCoding];
