import * as z from "zod";
import { Failure } from "../../../../kernel/failure.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { assertCategoryExists, requireCode, toStoredColor } from "../../codebook/code.ts";
import { assertNoCycle, inVivoName } from "../../codebook/codebook.ts";
import { assertNotCoded, insertCoding, locatePassage } from "../../coding/passages.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { assertValidName } from "../../project/names.ts";
import { codingIdsAmong } from "../../qda/storage-codebook.ts";
import { allCodes, findCode, hasSubcodes } from "../../qda/storage-codes.ts";
import { readSourceText, requireSource } from "../../sources/source.ts";
import { changeId, rowIdInput, textPosition } from "../inputs.ts";

const colorInput = z.string().optional().describe("#RRGGBB or #RGB");

export const nestCode = writeOperation({
  name: "nest_code",
  title: "Move a code below another",
  summary: "Make a code a sub-code of another, or with null a top-level code.",
  input: z.object({
    code_id: rowIdInput.describe("Id of the code"),
    parent_code_id: rowIdInput.nullable().describe("Id of the new parent code; null: none"),
  }),
  output: z.object({
    code_id: z.int(),
    parent_code_id: z.int().nullable(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: {
    http: "PUT /qualitative/codes/{code_id}/parent",
    cli: "project code nest <code_id> <parent_code_id>",
  },
  example: { code_id: 2, parent_code_id: 1 },
  plan({ code_id, parent_code_id }, state, call) {
    const project = state.requireProject();
    const { name } = requireCode(project.db, code_id);
    if (!hasSubcodes(project.db)) {
      throw new Failure("conflict", "OLD_PROJECT", "This project is too old for sub-codes.", {
        hints: ["Open it once in QualCoder 4.0 or later, or use categories."],
      });
    }
    return planWrite(
      project,
      { call, operation: "nest_code", summary: `Moved code '${name}'` },
      ({ writer, db }) => {
        if (parent_code_id !== null) requireCode(db, parent_code_id);
        assertNoCycle(allCodes(db), code_id, parent_code_id, "CODE_NOT_MOVED");
        writer.update("code_name", code_id, { supercid: parent_code_id });
        return {};
      },
      ({ change_id }) => {
        return { code_id, parent_code_id, change_id };
      },
    );
  },
});

export const splitCode = writeOperation({
  name: "split_code",
  title: "Split a code",
  summary: "Move some passages of a code to a new code with the same category and parent.",
  input: z.object({
    code_id: rowIdInput.describe("Id of the code"),
    name: z.string().describe("Name of the new code"),
    segment_ids: z.array(rowIdInput).max(100_000).describe("Passages to move"),
    color: colorInput,
    memo: z.string().optional().describe("Memo of the new code"),
  }),
  output: z.object({
    code_id: z.int(),
    new_code_id: z.int(),
    name: z.string(),
    segments_moved: z.int(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: {
    http: "POST /qualitative/codes/{code_id}/split",
    cli: "project code split <code_id> <name>",
  },
  example: { code_id: 1, name: "Lasting hope", segment_ids: [1] },
  plan({ code_id, name, segment_ids, color, memo }, state, call) {
    const project = state.requireProject();
    const code = requireCode(project.db, code_id);
    const summary = `Split code '${code.name}' into '${name}'`;
    return planWrite(
      project,
      { call, operation: "split_code", summary },
      ({ writer, db, owner, date }) => {
        assertValidName(name, allCodes(db), "CODE_NOT_SPLIT");
        const segmentIds = codingIdsAmong(db, code_id, segment_ids);
        const foreignCount = new Set(segment_ids).size - segmentIds.length;
        if (foreignCount > 0) {
          throw new Failure(
            "not-found",
            "CODE_NOT_SPLIT/SEGMENT_NOT_FOUND",
            `${pluralise(foreignCount, "segment")} of those are not of this code`,
            { hints: ["list_segments_for_source lists the ids."] },
          );
        }
        const new_code_id = writer.insert("code_name", {
          name,
          memo: memo ?? "",
          catid: code.category,
          supercid: code.parent,
          owner,
          date,
          color: color === undefined ? code.color : toStoredColor(color, "CODE_NOT_SPLIT"),
        });
        for (const id of segmentIds) writer.update("code_text", id, { cid: new_code_id });
        return { new_code_id, segments_moved: segmentIds.length };
      },
      (result) => {
        call.announce({ topic: "segments.changed" });
        return { code_id, name, ...result };
      },
    );
  },
});

export const createInVivoCode = writeOperation({
  name: "create_in_vivo_code",
  title: "Code in vivo",
  summary:
    "Create a code named after a passage and code the passage with it. An existing code of that name is used.",
  input: z.object({
    source_id: rowIdInput.describe("Id of the source"),
    name: z.string().optional().describe("Name of the code; by default the passage itself"),
    start_position: textPosition.optional().describe("Start of the passage, in characters from 0"),
    end_position: textPosition.optional().describe("End of the passage"),
    quote: z
      .string()
      .max(100_000)
      .optional()
      .describe("Exact text; the occurrence nearest start_position"),
    color: colorInput,
    category_id: rowIdInput.nullish().describe("Id of the category for a new code"),
    memo: z.string().optional().describe("Memo of the coding"),
    importance: z.int().min(0).max(3).default(0).describe("Importance"),
  }),
  output: z.object({
    code_id: z.int(),
    name: z.string(),
    created: z.boolean(),
    segment_id: z.int(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: {
    http: "POST /qualitative/sources/{source_id}/in-vivo",
    cli: "project code in-vivo <source_id>",
  },
  example: { source_id: 1, quote: "doubted" },
  plan({ name: codeName, color, category_id, memo, importance, ...requestedRange }, state, call) {
    const stored = toStoredColor(color ?? "#808080", "CODE_NOT_CREATED");
    const createdCode = { name: "" };
    return planWrite(
      state.requireProject(),
      {
        call,
        operation: "create_in_vivo_code",
        summary: () => `Coded a passage as '${createdCode.name}'`,
      },
      (context) => {
        const { writer, db, owner, date } = context;
        const source = requireSource(db, requestedRange.source_id).id;
        const placed = { source, ...locatePassage(readSourceText(db, source), requestedRange) };
        createdCode.name = codeName ?? inVivoName(placed.text);
        const existing = allCodes(db).find(
          ({ name }) => name.toLowerCase() === createdCode.name.toLowerCase(),
        );
        if (!existing) assertValidName(createdCode.name, [], "CODE_NOT_CREATED");
        assertCategoryExists(db, category_id ?? null, "CODE_NOT_CREATED/CATEGORY_NOT_FOUND");
        const code_id =
          existing?.id ??
          writer.insert("code_name", {
            name: createdCode.name,
            memo: "",
            catid: category_id ?? null,
            owner,
            date,
            color: stored,
          });
        assertNotCoded(db, { ...placed, code: code_id, owner });
        const passage = { ...placed, code: code_id };
        const segment_id = insertCoding(context, passage, { memo, importance });
        const name = findCode(db, code_id)?.name ?? createdCode.name;
        return { code_id, name, created: existing === undefined, segment_id };
      },
      (result) => {
        call.announce({ topic: "segments.changed", about: String(requestedRange.source_id) });
        return result;
      },
    );
  },
});

export const nestAndSplitOperations = [nestCode, splitCode, createInVivoCode];
