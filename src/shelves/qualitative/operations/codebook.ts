import * as z from "zod";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { codeById, refuseUnknownCategory, storedColor } from "../code.ts";
import { inVivoName, refuseCircle } from "../codebook.ts";
import { codePassage, placedIn, refuseCoded } from "../coding.ts";
import { refuseBadName } from "../naming.ts";
import { codingsAmong } from "../qda/storage-codebook.ts";
import { allCodes, findCode, hasSubcodes } from "../qda/storage-codes.ts";
import { readText, sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput, position } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const color = z.string().optional().describe("#RRGGBB or #RGB");

export const nestCode = operation({
  name: "nest_code",
  title: "Put a code below another",
  summary: "Make a code a sub-code of another, or with null stand by itself again.",
  input: z.object({
    code_id: idInput.describe("Number of the code"),
    parent_code_id: idInput.nullable().describe("Number of the code it goes below; null: none"),
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
  run({ code_id, parent_code_id }, state, call) {
    const project = state.needed();
    const { name } = codeById(project.db, code_id);
    if (!hasSubcodes(project.db)) {
      throw new Failure("conflict", "OLD_PROJECT", "This project is too old for sub-codes.", {
        hints: ["Open it once in QualCoder 4.0 or later, or use categories."],
      });
    }
    const { change_id } = project.write(
      { call, operation: "nest_code", summary: `Moved code '${name}'` },
      ({ pen, db }) => {
        if (parent_code_id !== null) codeById(db, parent_code_id);
        refuseCircle(allCodes(db), code_id, parent_code_id, "CODE_NOT_MOVED");
        pen.update("code_name", code_id, { supercid: parent_code_id });
        return {};
      },
    );
    return { code_id, parent_code_id, change_id };
  },
});

export const splitCode = operation({
  name: "split_code",
  title: "Split a code",
  summary: "Give some passages of a code to a new code, which stands where the old one does.",
  input: z.object({
    code_id: idInput.describe("Number of the code"),
    name: z.string().describe("Of the new code"),
    segment_ids: z.array(idInput).max(100_000).describe("Passages that go to it"),
    color,
    memo: z.string().optional().describe("What is noted about the new code"),
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
  run({ code_id, name, segment_ids, color: given, memo }, state, call) {
    const project = state.needed();
    const code = codeById(project.db, code_id);
    const summary = `Split code '${code.name}' into '${name}'`;
    const done = project.write(
      { call, operation: "split_code", summary },
      ({ pen, db, owner, date }) => {
        refuseBadName(name, allCodes(db), "CODE_NOT_SPLIT");
        const chosen = codingsAmong(db, code_id, segment_ids);
        const strange = new Set(segment_ids).size - chosen.length;
        if (strange > 0) {
          throw new Failure(
            "not-found",
            "CODE_NOT_SPLIT/SEGMENT_NOT_FOUND",
            `${counted(strange, "segment")} of those are not of this code`,
            { hints: ["list_segments_for_source gives the ids."] },
          );
        }
        const new_code_id = pen.insert("code_name", {
          name,
          memo: memo ?? "",
          catid: code.category,
          supercid: code.parent,
          owner,
          date,
          color: given === undefined ? code.color : storedColor(given, "CODE_NOT_SPLIT"),
        });
        for (const id of chosen) pen.update("code_text", id, { cid: new_code_id });
        return { new_code_id, segments_moved: chosen.length };
      },
    );
    call.announce({ topic: "segments.changed" });
    return { code_id, name, ...done };
  },
});

export const createInVivoCode = operation({
  name: "create_in_vivo_code",
  title: "Code in vivo",
  summary:
    "Make a code out of the words of a passage and code the passage with it. A code of that name is taken as it is.",
  input: z.object({
    source_id: idInput.describe("Number of the source"),
    name: z.string().optional().describe("Of the code, instead of the words themselves"),
    start_position: position.optional().describe("Where the passage begins, in letters from 0"),
    end_position: position.optional().describe("Where the passage ends"),
    quote: z
      .string()
      .max(100_000)
      .optional()
      .describe("The words, found nearest to start_position"),
    color,
    category_id: idInput.nullish().describe("Number of the category for a new code"),
    memo: z.string().optional().describe("Of the coding"),
    importance: z.int().min(0).max(3).default(0).describe("How much it matters"),
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
  run({ name: called, color: given, category_id, memo, importance, ...wanted }, state, call) {
    const stored = storedColor(given ?? "#808080", "CODE_NOT_CREATED");
    const made = { name: "" };
    const done = state.needed().write(
      {
        call,
        operation: "create_in_vivo_code",
        summary: () => `Coded a passage as '${made.name}'`,
      },
      (hand) => {
        const { pen, db, owner, date } = hand;
        const source = sourceById(db, wanted.source_id).id;
        const placed = { source, ...placedIn(readText(db, source), wanted) };
        made.name = called ?? inVivoName(placed.text);
        const known = allCodes(db).find(
          ({ name }) => name.toLowerCase() === made.name.toLowerCase(),
        );
        if (!known) refuseBadName(made.name, [], "CODE_NOT_CREATED");
        refuseUnknownCategory(db, category_id ?? null, "CODE_NOT_CREATED/CATEGORY_NOT_FOUND");
        const code_id =
          known?.id ??
          pen.insert("code_name", {
            name: made.name,
            memo: "",
            catid: category_id ?? null,
            owner,
            date,
            color: stored,
          });
        refuseCoded(db, { ...placed, code: code_id, owner });
        const passage = { ...placed, code: code_id };
        const segment_id = codePassage(hand, passage, { memo, importance });
        const name = findCode(db, code_id)?.name ?? made.name;
        return { code_id, name, created: known === undefined, segment_id };
      },
    );
    call.announce({ topic: "segments.changed", about: String(wanted.source_id) });
    return done;
  },
});

export const codebookOperations = [nestCode, splitCode, createInVivoCode];
