import * as z from "zod";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { codeById } from "../code.ts";
import { joinedMemo } from "../memo.ts";
import { confirmInput, previewShape } from "../previewing.ts";
import { codingsOf, subcodesOf, twinsOf } from "../qda/storage-codes.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const deleteCode = operation({
  name: "delete_code",
  title: "Delete a code",
  summary:
    "Show what deleting a code would take away, or with confirm delete it. One that is in use needs delete_segments too.",
  input: z.object({
    code_id: idInput,
    delete_segments: z.boolean().default(false).describe("Its codings go too"),
    ...confirmInput,
  }),
  output: z.object({
    code_id: z.int(),
    name: z.string(),
    segments_count: z.int().optional(),
    segments_removed: z.int().optional(),
    deleted: z.boolean().optional(),
    ...previewShape,
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { mcp: true },
  example: { code_id: 1, delete_segments: true },
  run({ code_id, delete_segments }, state, call) {
    const project = state.needed();
    const { name } = codeById(project.db, code_id);
    const codings = codingsOf(project.db, code_id, "seen");
    const { change_id } = project.write(
      {
        call,
        operation: "delete_code",
        summary: `Deleted code '${name}' and ${counted(codings.length, "coded segment")}`,
        preview: {
          code_id,
          name,
          segments_count: codings.length,
          message: `This will delete code '${name}' and ${codings.length} coded segment(s)`,
        },
      },
      ({ pen, db }) => {
        if (!delete_segments) refuseInUse(codingsOf(db, code_id, "seen").length);
        for (const { table, id } of codingsOf(db, code_id, "all")) pen.remove(table, id);
        for (const id of subcodesOf(db, code_id)) pen.update("code_name", id, { supercid: null });
        pen.remove("code_name", code_id);
        return {};
      },
    );
    call.announce({ topic: "segments.changed" });
    return { code_id, name, segments_removed: codings.length, deleted: true, change_id };
  },
});

function refuseInUse(codings: number): void {
  if (codings === 0) return;
  throw new Failure(
    "conflict",
    "CODE_NOT_DELETED/HAS_REFERENCES",
    `Code has ${codings} segment(s) and cannot be deleted`,
    { hints: ["With delete_segments they go too; merge_codes keeps them."] },
  );
}

export const mergeCodes = operation({
  name: "merge_codes",
  title: "Merge two codes",
  summary:
    "Show what merging would do, or with confirm give all codings of one code to another and delete the first.",
  input: z.object({
    source_code_id: idInput.describe("Goes"),
    target_code_id: idInput.describe("Stays"),
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
    ...previewShape,
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { mcp: true },
  example: { source_code_id: 2, target_code_id: 1 },
  run({ source_code_id, target_code_id }, state, call) {
    const project = state.needed();
    const source = codeById(project.db, source_code_id, "CODES_NOT_MERGED/SOURCE_NOT_FOUND");
    const target = codeById(project.db, target_code_id, "CODES_NOT_MERGED/TARGET_NOT_FOUND");
    if (source.id === target.id) {
      throw new Failure("invalid", "CODES_NOT_MERGED/SAME_CODE", "A code merges with another only");
    }
    const about = {
      source_code_id,
      target_code_id,
      source_code_name: source.name,
      target_code_name: target.name,
    };
    const segments_count = codingsOf(project.db, source.id, "seen").length;
    const duplicates_dropped = twinsOf(project.db, source.id, target.id, "seen").length;
    const segments_moved = segments_count - duplicates_dropped;
    const drop =
      duplicates_dropped > 0
        ? `, drop ${duplicates_dropped} that '${target.name}' has already,`
        : "";
    const preview = {
      ...about,
      segments_count,
      segments_moved,
      duplicates_dropped,
      message: `This will give ${segments_moved} coded segment(s) of '${source.name}' to '${target.name}'${drop} and delete '${source.name}'`,
    };
    const summary = `Merged code '${source.name}' into '${target.name}'`;
    const deed = { call, operation: "merge_codes", summary, preview };
    const merged = project.write(deed, ({ pen, db }) => {
      const now = codingsOf(db, source.id, "all");
      const twins = new Map(
        twinsOf(db, source.id, target.id, "all").map((twin) => [twin.id, twin]),
      );
      for (const { table, id } of now) {
        const twin = table === "code_text" ? twins.get(id) : undefined;
        if (!twin) pen.update(table, id, { cid: target.id });
        else {
          pen.remove(table, id);
          const memo = joinedMemo(twin.twinMemo, twin.memo);
          if (memo !== (twin.twinMemo ?? "")) pen.update(table, twin.twin, { memo });
        }
      }
      for (const id of subcodesOf(db, source.id)) {
        pen.update("code_name", id, { supercid: id === target.id ? null : target.id });
      }
      if (source.memo) {
        pen.update("code_name", target.id, { memo: joinedMemo(target.memo, source.memo) });
      }
      pen.remove("code_name", source.id);
      return { segments_moved: now.length - twins.size, duplicates_dropped: twins.size };
    });
    call.announce({ topic: "segments.changed" });
    return { ...about, ...merged };
  },
});

export const uncodingOperations = [deleteCode, mergeCodes];
