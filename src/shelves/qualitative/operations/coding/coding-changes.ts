import * as z from "zod";
import { Failure } from "../../../../kernel/failure.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { trimSpan } from "../../../../text/spans/sentence-spans.ts";
import { assertNotCoded, insertCoding, requireSegment } from "../../coding/passages.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { replaceSharedMemo } from "../../project/memo.ts";
import { isPassageCoded, type SegmentRow } from "../../qda/storage-segments.ts";
import { assertInsideText, readSourceText, type SourceText } from "../../sources/source.ts";
import { changeId, rowIdInput, textPosition } from "../inputs.ts";

const CodingOutput = z.object({
  segment_id: z.int(),
  start_position: z.int(),
  end_position: z.int(),
  selected_text: z.string(),
});

export const changeCoding = writeOperation({
  name: "change_coding",
  title: "Change a coding",
  summary: "Change the range, memo or importance of a coding. Omitted fields stay unchanged.",
  input: z.object({
    segment_id: rowIdInput.describe("Id of the coding"),
    start_position: textPosition.optional().describe("New start, in characters from 0"),
    end_position: textPosition.optional().describe("New end"),
    memo: z.string().optional().describe("Memo"),
    importance: z.int().min(0).max(3).optional().describe("Importance"),
  }),
  output: CodingOutput.extend({ source_id: z.int(), change_id: changeId }),
  effect: "writes",
  expose: {
    http: "PUT /qualitative/segments/{segment_id}",
    cli: "project coding change <segment_id>",
  },
  example: { segment_id: 1, memo: "Said at once", importance: 2 },
  plan({ segment_id, start_position, end_position, memo, importance }, state, call) {
    return planWrite(
      state.requireProject(),
      { call, operation: "change_coding", summary: "Changed a coding" },
      ({ writer, db }) => {
        const segment = requireSegment(db, segment_id);
        const start = start_position ?? segment.start;
        const end = end_position ?? segment.end;
        const isMoved = start !== segment.start || end !== segment.end;
        const source = readSourceText(db, segment.source);
        assertInsideText(source, start, end);
        const selected_text = source.slice(start, end);
        if (isMoved) assertNotCoded(db, { ...segment, start, end, text: selected_text });
        writer.update("code_text", segment_id, {
          ...(isMoved && { pos0: start, pos1: end, seltext: selected_text }),
          ...(memo !== undefined && { memo: replaceSharedMemo(segment.memo, memo) }),
          ...(importance !== undefined && { important: importance || null }),
        });
        const { source: source_id } = segment;
        return { segment_id, source_id, start_position: start, end_position: end, selected_text };
      },
      (changed) => {
        call.announce({ topic: "segments.changed", about: String(changed.source_id) });
        return changed;
      },
    );
  },
  present: ({ selected_text }) => [textBlock(`Changed the coding of '${selected_text}'.`)],
});

export const eraseCoding = writeOperation({
  name: "erase_coding",
  title: "Erase a part of a coding",
  summary: "Remove the code from a part of a coded passage. Erasing the middle leaves two codings.",
  input: z.object({
    segment_id: rowIdInput.describe("Id of the coding"),
    start_position: textPosition.describe("Start of the part to erase, in the source's text"),
    end_position: textPosition.describe("End of that part"),
  }),
  output: z.object({
    segment_id: z.int(),
    rest: z.array(CodingOutput).describe("The remaining codings"),
    change_id: changeId,
  }),
  effect: "writes",
  expose: {
    http: "POST /qualitative/segments/{segment_id}/erase",
    cli: "project coding erase <segment_id> <start_position> <end_position>",
  },
  example: { segment_id: 1, start_position: 2, end_position: 4 },
  plan({ segment_id, start_position, end_position }, state, call) {
    return planWrite(
      state.requireProject(),
      { call, operation: "erase_coding", summary: "Erased a part of a coding" },
      (context) => {
        const segment = requireSegment(context.db, segment_id);
        const source = readSourceText(context.db, segment.source);
        assertInsideText(source, start_position, end_position);
        const remainders = remaindersOf(source, segment, {
          start: start_position,
          end: end_position,
        });
        const rest = remainders.filter(
          (part) => !isPassageCoded(context.db, { ...segment, ...part }),
        );
        const [first, second] = rest;
        if (!first) throw nothingLeft();
        context.writer.update("code_text", segment_id, {
          pos0: first.start,
          pos1: first.end,
          seltext: first.text,
        });
        const owner = segment.owner ?? "";
        const others = second
          ? [
              insertCoding(
                { ...context, owner },
                { ...segment, ...second },
                memoAndImportanceOf(segment),
              ),
            ]
          : [];
        return {
          source_id: segment.source,
          rest: rest.map((part, at) => toCodingOutput(others[at - 1] ?? segment_id, part)),
        };
      },
      ({ source_id, ...erased }) => {
        call.announce({ topic: "segments.changed", about: String(source_id) });
        return { segment_id, ...erased };
      },
    );
  },
  present: ({ rest }) => [
    textBlock(
      `Still coded: ${rest.map(({ selected_text }) => `'${selected_text}'`).join(" and ")}.`,
    ),
  ],
});

interface CodingRemainder {
  start: number;
  end: number;
  text: string;
}

/** The parts before and after the erased range, without white space at their ends. */
function remaindersOf(
  source: SourceText,
  { start, end }: Pick<SegmentRow, "start" | "end">,
  erased: { start: number; end: number },
): CodingRemainder[] {
  if (erased.end <= start || end <= erased.start) {
    throw new Failure("invalid", "NOTHING_TO_ERASE", "This part does not overlap the coding.", {
      hints: ["list_segments_for_source lists its positions."],
    });
  }
  return [
    { start, end: Math.min(end, erased.start) },
    { start: Math.max(start, erased.end), end },
  ]
    .filter((part) => part.start < part.end && source.slice(part.start, part.end).trim() !== "")
    .map((part) => {
      const units = { start: source.unitAt(part.start), end: source.unitAt(part.end) };
      const trimmedUnits = trimSpan(source.text, units);
      return {
        start: source.codePointAt(trimmedUnits.start),
        end: source.codePointAt(trimmedUnits.end),
        text: source.text.slice(trimmedUnits.start, trimmedUnits.end),
      };
    });
}

const memoAndImportanceOf = ({ memo, importance }: SegmentRow) => ({
  memo: memo ?? "",
  importance,
});

const toCodingOutput = (
  segment_id: number,
  { start, end, text: selected_text }: CodingRemainder,
) => ({
  segment_id,
  start_position: start,
  end_position: end,
  selected_text,
});

const nothingLeft = (): Failure =>
  new Failure("conflict", "NOTHING_LEFT", "Nothing would remain of the coding.", {
    hints: ["remove_coding removes the whole coding."],
  });

export const codingChangeOperations = [changeCoding, eraseCoding];
