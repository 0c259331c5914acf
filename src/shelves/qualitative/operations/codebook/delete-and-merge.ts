import * as z from "zod";
import { Failure } from "../../../../kernel/failure.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { requireCode } from "../../codebook/code.ts";
import { confirmInput, previewOutput } from "../../governance/delete-preview.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { joinMemos } from "../../project/memo.ts";
import { codingIdsOf, duplicateCodingsOf, subcodeIdsOf } from "../../qda/storage-codes.ts";
import { changeId, rowIdInput } from "../inputs.ts";

export const deleteCode = writeOperation({
  name: "delete_code",
  title: "Delete a code",
  summary:
    "Preview the deletion of a code, or delete it with confirm. A code in use also needs delete_segments.",
  input: z.object({
    code_id: rowIdInput,
    delete_segments: z.boolean().default(false).describe("Also delete its codings"),
    ...confirmInput,
  }),
  output: z.object({
    code_id: z.int(),
    name: z.string(),
    segments_count: z.int().optional(),
    segments_removed: z.int().optional(),
    deleted: z.boolean().optional(),
    ...previewOutput,
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { mcp: true },
  example: { code_id: 1, delete_segments: true },
  plan({ code_id, delete_segments }, state, call) {
    const project = state.requireProject();
    const { name } = requireCode(project.db, code_id);
    const codings = codingIdsOf(project.db, code_id, "seen");
    return planWrite(
      project,
      {
        call,
        operation: "delete_code",
        summary: `Deleted code '${name}' and ${pluralise(codings.length, "coded segment")}`,
        preview: {
          code_id,
          name,
          segments_count: codings.length,
          message: `This will delete code '${name}' and ${codings.length} coded segment(s)`,
        },
      },
      ({ writer, db }) => {
        if (!delete_segments) assertUnused(codingIdsOf(db, code_id, "seen").length);
        for (const { table, id } of codingIdsOf(db, code_id, "all")) writer.remove(table, id);
        for (const id of subcodeIdsOf(db, code_id))
          writer.update("code_name", id, { supercid: null });
        writer.remove("code_name", code_id);
        return {};
      },
      ({ change_id }) => {
        call.announce({ topic: "segments.changed" });
        return { code_id, name, segments_removed: codings.length, deleted: true, change_id };
      },
    );
  },
});

function assertUnused(codings: number): void {
  if (codings === 0) return;
  throw new Failure(
    "conflict",
    "CODE_NOT_DELETED/HAS_REFERENCES",
    `Code has ${codings} segment(s) and cannot be deleted`,
    { hints: ["delete_segments deletes them too; merge_codes keeps them."] },
  );
}

export const mergeCodes = writeOperation({
  name: "merge_codes",
  title: "Merge two codes",
  summary:
    "Preview a merge, or with confirm move all codings of one code to another and delete the first.",
  input: z.object({
    source_code_id: rowIdInput.describe("Deleted"),
    target_code_id: rowIdInput.describe("Kept"),
    ...confirmInput,
  }),
  output: z.object({
    source_code_id: z.int(),
    target_code_id: z.int(),
    source_code_name: z.string(),
    target_code_name: z.string(),
    segments_count: z.int().optional(),
    segments_moved: z.int().optional(),
    duplicates_dropped: z.int().optional(),
    ...previewOutput,
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { mcp: true },
  example: { source_code_id: 2, target_code_id: 1 },
  plan({ source_code_id, target_code_id }, state, call) {
    const project = state.requireProject();
    const source = requireCode(project.db, source_code_id, "CODES_NOT_MERGED/SOURCE_NOT_FOUND");
    const target = requireCode(project.db, target_code_id, "CODES_NOT_MERGED/TARGET_NOT_FOUND");
    if (source.id === target.id) {
      throw new Failure(
        "invalid",
        "CODES_NOT_MERGED/SAME_CODE",
        "A code cannot be merged with itself",
      );
    }
    const codes = {
      source_code_id,
      target_code_id,
      source_code_name: source.name,
      target_code_name: target.name,
    };
    const segments_count = codingIdsOf(project.db, source.id, "seen").length;
    const duplicates_dropped = duplicateCodingsOf(project.db, source.id, target.id, "seen").length;
    const segments_moved = segments_count - duplicates_dropped;
    const drop =
      duplicates_dropped > 0
        ? `, drop ${duplicates_dropped} that '${target.name}' already has,`
        : "";
    const preview = {
      ...codes,
      segments_count,
      segments_moved,
      duplicates_dropped,
      message: `This will move ${segments_moved} coded segment(s) of '${source.name}' to '${target.name}'${drop} and delete '${source.name}'`,
    };
    const summary = `Merged code '${source.name}' into '${target.name}'`;
    const request = { call, operation: "merge_codes", summary, preview };
    return planWrite(
      project,
      request,
      ({ writer, db }) => {
        const now = codingIdsOf(db, source.id, "all");
        const duplicates = new Map(
          duplicateCodingsOf(db, source.id, target.id, "all").map((duplicate) => [
            duplicate.id,
            duplicate,
          ]),
        );
        for (const { table, id } of now) {
          const duplicate = table === "code_text" ? duplicates.get(id) : undefined;
          if (!duplicate) writer.update(table, id, { cid: target.id });
          else {
            writer.remove(table, id);
            const memo = joinMemos(duplicate.twinMemo, duplicate.memo);
            if (memo !== (duplicate.twinMemo ?? "")) writer.update(table, duplicate.twin, { memo });
          }
        }
        for (const id of subcodeIdsOf(db, source.id)) {
          writer.update("code_name", id, { supercid: id === target.id ? null : target.id });
        }
        if (source.memo) {
          writer.update("code_name", target.id, { memo: joinMemos(target.memo, source.memo) });
        }
        writer.remove("code_name", source.id);
        return {
          segments_moved: now.length - duplicates.size,
          duplicates_dropped: duplicates.size,
        };
      },
      (merged) => {
        call.announce({ topic: "segments.changed" });
        return { ...codes, ...merged };
      },
    );
  },
});

export const deleteAndMergeOperations = [deleteCode, mergeCodes];
