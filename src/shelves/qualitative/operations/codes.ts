import * as z from "zod";
import { operationsOn } from "../../../kernel/operation.ts";
import { codeById, codesBeside, refuseUnknownCategory, shownCode, storedColor } from "../code.ts";
import { rewrittenMemo } from "../memo.ts";
import { refuseBadName } from "../naming.ts";
import { partInput, partOf, partOutput } from "../part-of-list.ts";
import { allCodes } from "../qda/storage-codes.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

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
  input: z.object(partInput),
  output: z.object({ codes: z.array(Code), ...partOutput }).meta({ list: "codes" }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  run(asked, state) {
    const { part, cut } = partOf(allCodes(state.needed().db), asked);
    return { codes: part.map(shownCode), ...cut };
  },
});

const getCode = operation({
  name: "get_code",
  title: "Show a code",
  summary: "One code with its memo, its color and how often it is used.",
  input: z.object({ code_id: idInput }),
  output: Code,
  effect: "reads",
  expose: { mcp: true },
  example: { code_id: 1 },
  run: ({ code_id }, state) => shownCode(codeById(state.needed().db, code_id)),
});

const createCode = operation({
  name: "create_code",
  title: "Create a code",
  summary: "Add a code to the codebook.",
  input: z.object({
    name: z.string(),
    color: z.string().describe("#RRGGBB or #RGB"),
    memo: z.string().optional().describe("What it means, and when it applies"),
    category_id: idInput.nullish(),
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
  run({ name, color, memo, category_id }, state, call) {
    const project = state.needed();
    const task = "CODE_NOT_CREATED";
    const stored = storedColor(color, task);
    const category = category_id ?? null;
    const made = project.write(
      { call, operation: "create_code", summary: `Created code '${name}'` },
      ({ pen, db, owner, date }) => {
        refuseBadName(name, allCodes(db), task);
        refuseUnknownCategory(db, category, `${task}/CATEGORY_NOT_FOUND`);
        const row = { name, memo: memo ?? "", catid: category, owner, date, color: stored };
        return { code_id: pen.insert("code_name", row) };
      },
    );
    return { ...made, name, color: stored, memo: memo ?? null, category_id: category };
  },
});

export const updateCode = operation({
  name: "update_code",
  title: "Change a code",
  summary: "Change a code's name, color, memo or category; what is not given stays.",
  input: z.object({
    code_id: idInput,
    name: z.string().optional(),
    color: z.string().optional(),
    memo: z.string().optional(),
    category_id: idInput.nullish().describe("null: in no category"),
  }),
  output: Code.extend({ change_id: changeId }),
  effect: "writes",
  expose: { mcp: true },
  example: { code_id: 1, memo: "Whatever holds the speaker up." },
  run({ code_id, name, color, memo, category_id }, state, call) {
    const project = state.needed();
    const { name: called } = codeById(project.db, code_id);
    const { change_id } = project.write(
      { call, operation: "update_code", summary: `Changed code '${called}'` },
      ({ pen, db }) => {
        const before = codeById(db, code_id);
        if (name !== undefined) refuseBadName(name, codesBeside(db, code_id), "CODE_NOT_RENAMED");
        refuseUnknownCategory(db, category_id ?? null, "CODE_NOT_MOVED/CATEGORY_NOT_FOUND");
        pen.update("code_name", code_id, {
          name: name ?? before.name,
          color: color === undefined ? before.color : storedColor(color, "CODE_NOT_UPDATED"),
          memo: memo === undefined ? before.memo : rewrittenMemo(before.memo, memo),
          catid: category_id === undefined ? before.category : category_id,
        });
        return {};
      },
    );
    return { ...shownCode(codeById(project.db, code_id)), change_id };
  },
});

export const codeOperations = [listCodes, getCode, createCode, updateCode];
