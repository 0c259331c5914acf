import * as z from "zod";
import { operationsFor } from "../../../../kernel/operation.ts";
import {
  assertCategoryExists,
  codesExcept,
  requireCode,
  toCodeOutput,
  toStoredColor,
} from "../../codebook/code.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { replaceSharedMemo } from "../../project/memo.ts";
import { assertValidName } from "../../project/names.ts";
import { allCodes } from "../../qda/storage-codes.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";
import { optionalPageInput, optionalPageOutput, takeOptionalPage } from "../optional-page.ts";

const operation = operationsFor<QualitativeState>();

const Code = z.object({
  id: z.int(),
  name: z.string(),
  color: z.string().nullable(),
  memo: z.string().nullable(),
  category_id: z.int().nullable(),
  owner: z.string().nullable(),
  created_at: z.string().nullable(),
  segment_count: z.int(),
  parent_code_id: z.int().optional(),
});

export const listCodes = operation({
  name: "list_codes",
  title: "List codes",
  summary: "All codes of the codebook, with how often each is used.",
  input: z.object(optionalPageInput),
  output: z.object({ codes: z.array(Code), ...optionalPageOutput }).meta({ list: "codes" }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  run(paging, state) {
    const { part, cut } = takeOptionalPage(allCodes(state.requireProject().db), paging);
    return { codes: part.map(toCodeOutput), ...cut };
  },
});

const getCode = operation({
  name: "get_code",
  title: "Show a code",
  summary: "One code with its memo, its color and how often it is used.",
  input: z.object({ code_id: rowIdInput }),
  output: Code,
  effect: "reads",
  expose: { mcp: true },
  example: { code_id: 1 },
  run: ({ code_id }, state) => toCodeOutput(requireCode(state.requireProject().db, code_id)),
});

const createCode = writeOperation({
  name: "create_code",
  title: "Create a code",
  summary: "Add a code to the codebook.",
  input: z.object({
    name: z.string(),
    color: z.string().describe("#RRGGBB or #RGB"),
    memo: z.string().optional().describe("What it means, and when it applies"),
    category_id: rowIdInput.nullish(),
  }),
  output: z.object({
    code_id: z.int(),
    name: z.string(),
    color: z.string(),
    memo: z.string().nullable(),
    category_id: z.int().nullable(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { name: "Doubt", color: "#CC4400" },
  plan({ name, color, memo, category_id }, state, call) {
    const project = state.requireProject();
    const errorCode = "CODE_NOT_CREATED";
    const stored = toStoredColor(color, errorCode);
    const category = category_id ?? null;
    return planWrite(
      project,
      { call, operation: "create_code", summary: `Created code '${name}'` },
      ({ writer, db, owner, date }) => {
        assertValidName(name, allCodes(db), errorCode);
        assertCategoryExists(db, category, `${errorCode}/CATEGORY_NOT_FOUND`);
        const row = { name, memo: memo ?? "", catid: category, owner, date, color: stored };
        return { code_id: writer.insert("code_name", row) };
      },
      (created) => {
        return { ...created, name, color: stored, memo: memo ?? null, category_id: category };
      },
    );
  },
});

export const updateCode = writeOperation({
  name: "update_code",
  title: "Change a code",
  summary: "Change given fields of a code: name, color, memo, category.",
  input: z.object({
    code_id: rowIdInput,
    name: z.string().optional(),
    color: z.string().optional(),
    memo: z.string().optional(),
    category_id: rowIdInput.nullish().describe("null: in no category"),
  }),
  output: Code.extend({ change_id: changeId }),
  effect: "writes",
  expose: { mcp: true },
  example: { code_id: 1, memo: "Anything that delays the speaker." },
  plan({ code_id, name, color, memo, category_id }, state, call) {
    const project = state.requireProject();
    const { name: oldName } = requireCode(project.db, code_id);
    return planWrite(
      project,
      { call, operation: "update_code", summary: `Changed code '${oldName}'` },
      ({ writer, db }) => {
        const before = requireCode(db, code_id);
        if (name !== undefined) assertValidName(name, codesExcept(db, code_id), "CODE_NOT_RENAMED");
        assertCategoryExists(db, category_id ?? null, "CODE_NOT_MOVED/CATEGORY_NOT_FOUND");
        writer.update("code_name", code_id, {
          name: name ?? before.name,
          color: color === undefined ? before.color : toStoredColor(color, "CODE_NOT_UPDATED"),
          memo: memo === undefined ? before.memo : replaceSharedMemo(before.memo, memo),
          catid: category_id === undefined ? before.category : category_id,
        });
        return {};
      },
      ({ change_id }) => {
        return { ...toCodeOutput(requireCode(project.db, code_id)), change_id };
      },
    );
  },
});

export const codeOperations = [listCodes, getCode, createCode, updateCode];
