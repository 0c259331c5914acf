import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { refuseUnknownCategory } from "../code.ts";
import { categoryNamed, refuseCircle } from "../codebook.ts";
import { rewrittenMemo, sharedMemo } from "../memo.ts";
import { refuseBadName } from "../naming.ts";
import { partInput, partOf, partOutput } from "../part-of-list.ts";
import { dryInput, previewShape } from "../previewing.ts";
import { codesInCategory } from "../qda/storage-codebook.ts";
import { allCategories } from "../qda/storage-codes.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const listCategories = operation({
  name: "list_categories",
  title: "List categories",
  summary: "The categories that codes are sorted into, with the category above each.",
  input: z.object(partInput),
  output: z
    .object({
      categories: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          parent_id: z.int().nullable(),
          memo: z.string().nullable(),
          owner: z.string().nullable(),
          created_at: z.string().nullable(),
          code_count: z.int(),
        }),
      ),
      ...partOutput,
    })
    .meta({ list: "categories" }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  run(asked, state) {
    const { part, cut } = partOf(allCategories(state.needed().db), asked);
    const categories = part.map(({ id, name, parent, memo, owner, date, codes }) => ({
      id,
      name,
      parent_id: parent,
      memo: sharedMemo(memo),
      owner,
      created_at: date,
      code_count: codes,
    }));
    return { categories, ...cut };
  },
});

export const createCategory = operation({
  name: "create_category",
  title: "Create a category",
  summary: "Add a category for codes, at the top or below another.",
  input: z.object({
    name: z.string(),
    parent_id: idInput.nullish(),
    memo: z.string().optional(),
  }),
  output: z.object({
    category_id: z.int(),
    name: z.string(),
    parent_id: z.int().nullable(),
    memo: z.string().nullable(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { name: "Feelings" },
  run({ name, parent_id, memo }, state, call) {
    const parent = parent_id ?? null;
    const task = "CATEGORY_NOT_CREATED";
    const made = state
      .needed()
      .write(
        { call, operation: "create_category", summary: `Created category '${name}'` },
        ({ pen, db, owner, date }) => {
          refuseBadName(name, allCategories(db), task);
          refuseUnknownCategory(db, parent, `${task}/PARENT_NOT_FOUND`);
          const row = { name, owner, date, memo: memo ?? "", supercatid: parent };
          return { category_id: pen.insert("code_cat", row) };
        },
      );
    return { ...made, name, parent_id: parent, memo: memo ?? null };
  },
});

export const saveCategory = operation({
  name: "save_category",
  title: "Save a category",
  summary: "Make a category for codes or change one: its name, its memo, what it stands below.",
  input: z.object({
    name: z.string().describe("Name of the category"),
    new_name: z.string().optional().describe("Its name from now on"),
    memo: z.string().optional().describe("What is noted about it"),
    parent_id: idInput.nullish().describe("null: at the top"),
  }),
  output: z.object({
    category_id: z.int(),
    name: z.string(),
    created: z.boolean(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { http: "PUT /qualitative/categories/{name}", cli: "project category save <name>" },
  example: { name: "Feelings", memo: "Whatever is felt" },
  run({ name, new_name, memo, parent_id }, state, call) {
    const project = state.needed();
    const found = categoryNamed(project.db, name);
    const called = new_name ?? found?.name ?? name;
    const summary = `${found ? "Changed" : "Created"} category '${called}'`;
    const task = "CATEGORY_NOT_SAVED";
    const saved = project.write(
      { call, operation: "save_category", summary },
      ({ pen, db, owner, date }) => {
        const before = categoryNamed(db, name);
        const all = allCategories(db);
        const others = all.filter(({ id }) => id !== before?.id);
        if (!before || new_name !== undefined) refuseBadName(called, others, task);
        refuseUnknownCategory(db, parent_id ?? null, `${task}/PARENT_NOT_FOUND`);
        if (!before) {
          const row = {
            name: called,
            owner,
            date,
            memo: memo ?? "",
            supercatid: parent_id ?? null,
          };
          return { category_id: pen.insert("code_cat", row) };
        }
        const parent = parent_id === undefined ? before.parent : parent_id;
        refuseCircle(all, before.id, parent, task);
        pen.update("code_cat", before.id, {
          name: called,
          memo: memo === undefined ? before.memo : rewrittenMemo(before.memo, memo),
          supercatid: parent,
        });
        return { category_id: before.id };
      },
    );
    return { ...saved, name: called, created: found === undefined };
  },
  present: ({ name, created }) => [text(`${created ? "Created" : "Changed"} category '${name}'.`)],
});

export const deleteCategory = operation({
  name: "delete_category",
  title: "Delete a category",
  summary:
    "Delete a category. Its codes and categories stay and stand at the top. Does nothing where there is none.",
  input: z.object({ name: z.string().describe("Name of the category"), ...dryInput }),
  output: z.object({
    name: z.string(),
    deleted: z.boolean().optional(),
    ...previewShape,
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { http: "DELETE /qualitative/categories/{name}", cli: "project category delete <name>" },
  example: { name: "Feelings" },
  run({ name }, state, call) {
    const project = state.needed();
    const found = categoryNamed(project.db, name);
    if (!found) return { name, deleted: false };
    const summary = `Deleted category '${found.name}'`;
    const message = `This will delete category '${found.name}'; its ${found.codes} code(s) stay`;
    const { change_id } = project.write(
      { call, operation: "delete_category", summary, preview: { name, message } },
      ({ pen, db }) => {
        for (const id of codesInCategory(db, found.id))
          pen.update("code_name", id, { catid: null });
        for (const { id, parent } of allCategories(db)) {
          if (parent === found.id) pen.update("code_cat", id, { supercatid: null });
        }
        pen.remove("code_cat", found.id);
        return {};
      },
    );
    return { name, deleted: true, change_id };
  },
  present: ({ name, deleted }) => [
    text(deleted ? `Deleted category '${name}'.` : `There is no category '${name}'.`),
  ],
});

export const categoryOperations = [saveCategory, deleteCategory];
