import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { segmentById } from "../coding.ts";
import { sharedMemo } from "../memo.ts";
import { partInput, partOf, partOutput } from "../part-of-list.ts";
import { findCode } from "../qda/storage-codes.ts";
import { segmentsOfSource } from "../qda/storage-segments.ts";
import { sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const listSegmentsForSource = operation({
  name: "list_segments_for_source",
  title: "List coded passages",
  summary: "The coded passages of a source in reading order, without those of hidden coders.",
  input: z.object({ source_id: idInput, ...partInput }),
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
      ...partOutput,
    })
    .meta({ list: "segments" }),
  effect: "reads",
  expose: { mcp: true },
  example: { source_id: 1 },
  run({ source_id, ...asked }, state) {
    const { db } = state.needed();
    sourceById(db, source_id);
    const { part, cut } = partOf(segmentsOfSource(db, source_id), asked);
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

export const removeCoding = operation({
  name: "remove_coding",
  title: "Remove a coding",
  summary: "Take the code off one passage. The text stays.",
  input: z.object({ segment_id: idInput }),
  output: z.object({ deleted: z.boolean(), segment_id: z.int(), change_id: changeId }),
  effect: "deletes",
  expose: { mcp: true },
  example: { segment_id: 1 },
  run({ segment_id }, state, call) {
    const project = state.needed();
    const { source, start, end, text, code } = segmentById(
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
      message: `This will take code '${name}' off [${start}:${end}] of source ${source}`,
    };
    const { change_id } = project.write(
      { call, operation: "remove_coding", summary: "Removed a coding", preview },
      ({ pen }) => {
        pen.remove("code_text", segment_id);
        return {};
      },
    );
    call.announce({ topic: "segments.changed", about: String(source) });
    return { deleted: true, segment_id, change_id };
  },
});

export const segmentOperations = [listSegmentsForSource, removeCoding];
