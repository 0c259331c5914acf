import * as z from "zod";
import { operationsFor } from "../../../../kernel/operation.ts";
import { requireSegment } from "../../coding/passages.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { sharedMemo } from "../../project/memo.ts";
import { findCode } from "../../qda/storage-codes.ts";
import { segmentsOfSource } from "../../qda/storage-segments.ts";
import { requireSource } from "../../sources/source.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";
import { optionalPageInput, optionalPageOutput, takeOptionalPage } from "../optional-page.ts";

const operation = operationsFor<QualitativeState>();

export const listSegmentsForSource = operation({
  name: "list_segments_for_source",
  title: "List coded passages",
  summary: "The coded passages of a source in reading order, without those of hidden coders.",
  input: z.object({ source_id: rowIdInput, ...optionalPageInput }),
  output: z
    .object({
      segments: z.array(
        z.object({
          id: z.int(),
          source_id: z.int(),
          code_id: z.int(),
          start_position: z.int(),
          end_position: z.int(),
          selected_text: z.string(),
          memo: z.string().nullable(),
          importance: z.int(),
          owner: z.string().nullable(),
        }),
      ),
      ...optionalPageOutput,
    })
    .meta({ list: "segments" }),
  effect: "reads",
  expose: { mcp: true },
  example: { source_id: 1 },
  run({ source_id, ...paging }, state) {
    const { db } = state.requireProject();
    requireSource(db, source_id);
    const { part, cut } = takeOptionalPage(segmentsOfSource(db, source_id), paging);
    const segments = part.map((segment) => ({
      id: segment.id,
      source_id,
      code_id: segment.code,
      start_position: segment.start,
      end_position: segment.end,
      selected_text: segment.text,
      memo: sharedMemo(segment.memo),
      importance: segment.importance,
      owner: segment.owner,
    }));
    return { segments, ...cut };
  },
});

export const removeCoding = writeOperation({
  name: "remove_coding",
  title: "Remove a coding",
  summary: "Remove one coding. The text stays.",
  input: z.object({ segment_id: rowIdInput }),
  output: z.object({ deleted: z.boolean(), segment_id: z.int(), change_id: changeId }),
  effect: "deletes",
  expose: { mcp: true },
  example: { segment_id: 1 },
  plan({ segment_id }, state, call) {
    const project = state.requireProject();
    const { source, start, end, text, code } = requireSegment(
      project.db,
      segment_id,
      "SEGMENT_NOT_REMOVED/NOT_FOUND",
    );
    const name = findCode(project.db, code)?.name ?? code;
    const preview = {
      segment_id,
      source_id: source,
      code_id: code,
      start_position: start,
      end_position: end,
      selected_text: text,
      message: `This will remove code '${name}' from [${start}:${end}] of source ${source}`,
    };
    return planWrite(
      project,
      { call, operation: "remove_coding", summary: "Removed a coding", preview },
      ({ writer }) => {
        writer.remove("code_text", segment_id);
        return {};
      },
      ({ change_id }) => {
        call.announce({ topic: "segments.changed", about: String(source) });
        return { deleted: true, segment_id, change_id };
      },
    );
  },
});

export const segmentOperations = [listSegmentsForSource, removeCoding];
