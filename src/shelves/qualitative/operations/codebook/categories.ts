import * as z from "zod";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { assertCategoryExists } from "../../codebook/code.ts";
import { assertNoCycle, findCategoryByName } from "../../codebook/codebook.ts";
import { dryRunInput, previewOutput } from "../../governance/delete-preview.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { replaceSharedMemo, sharedMemo } from "../../project/memo.ts";
import { assertValidName } from "../../project/names.ts";
import { codeIdsInCategory } from "../../qda/storage-codebook.ts";
import { allCategories } from "../../qda/storage-codes.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";
import { optionalPageInput, optionalPageOutput, takeOptionalPage } from "../optional-page.ts";

const operation = operationsFor<QualitativeState>();

export const listCategories = operation({
  name: "list_categories",
  title: "List categories",
  summary: "The categories of codes, with the parent of each.",
  input: z.object(optionalPageInput),
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
      ...optionalPageOutput,
    })
    .meta({ list: "categories" }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  run(paging, state) {
    const { part, cut } = takeOptionalPage(allCategories(state.requireProject().db), paging);
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

export const createCategory = writeOperation({
  name: "create_category",
  title: "Create a category",
  summary: "Add a category for codes, at the top or below another.",
  input: z.object({
    name: z.string(),
    parent_id: rowIdInput.nullish(),
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
  plan({ name, parent_id, memo }, state, call) {
    const parent = parent_id ?? null;
    const errorCode = "CATEGORY_NOT_CREATED";
    return planWrite(
      state.requireProject(),
      { call, operation: "create_category", summary: `Created category '${name}'` },
      ({ writer, db, owner, date }) => {
        assertValidName(name, allCategories(db), errorCode);
        assertCategoryExists(db, parent, `${errorCode}/PARENT_NOT_FOUND`);
        const row = { name, owner, date, memo: memo ?? "", supercatid: parent };
        return { category_id: writer.insert("code_cat", row) };
      },
      (created) => {
        return { ...created, name, parent_id: parent, memo: memo ?? null };
      },
    );
  },
});

export const saveCategory = writeOperation({
  name: "save_category",
  title: "Save a category",
  summary: "Create or change a category for codes: its name, memo and parent.",
  input: z.object({
    name: z.string().describe("Name of the category"),
    new_name: z.string().optional().describe("New name"),
    memo: z.string().optional().describe("Memo"),
    parent_id: rowIdInput.nullish().describe("null: top level"),
  }),
  output: z.object({
    category_id: z.int(),
    name: z.string(),
    created: z.boolean(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { http: "PUT /qualitative/categories/{name}", cli: "project category save <name>" },
  example: { name: "Feelings", memo: "Any emotion" },
  plan({ name, new_name, memo, parent_id }, state, call) {
    const project = state.requireProject();
    const existing = findCategoryByName(project.db, name);
    const newName = new_name ?? existing?.name ?? name;
    const summary = `${existing ? "Changed" : "Created"} category '${newName}'`;
    const errorCode = "CATEGORY_NOT_SAVED";
    return planWrite(
      project,
      { call, operation: "save_category", summary },
      ({ writer, db, owner, date }) => {
        const before = findCategoryByName(db, name);
        const all = allCategories(db);
        const others = all.filter(({ id }) => id !== before?.id);
        if (!before || new_name !== undefined) assertValidName(newName, others, errorCode);
        assertCategoryExists(db, parent_id ?? null, `${errorCode}/PARENT_NOT_FOUND`);
        if (!before) {
          const row = {
            name: newName,
            owner,
            date,
            memo: memo ?? "",
            supercatid: parent_id ?? null,
          };
          return { category_id: writer.insert("code_cat", row) };
        }
        const parent = parent_id === undefined ? before.parent : parent_id;
        assertNoCycle(all, before.id, parent, errorCode);
        writer.update("code_cat", before.id, {
          name: newName,
          memo: memo === undefined ? before.memo : replaceSharedMemo(before.memo, memo),
          supercatid: parent,
        });
        return { category_id: before.id };
      },
      (saved) => {
        return { ...saved, name: newName, created: existing === undefined };
      },
    );
  },
  present: ({ name, created }) => [
    textBlock(`${created ? "Created" : "Changed"} category '${name}'.`),
  ],
});

export const deleteCategory = writeOperation({
  name: "delete_category",
  title: "Delete a category",
  summary:
    "Delete a category. Its codes and subcategories move to the top level. Does nothing if it does not exist.",
  input: z.object({ name: z.string().describe("Name of the category"), ...dryRunInput }),
  output: z.object({
    name: z.string(),
    deleted: z.boolean().optional(),
    ...previewOutput,
    change_id: changeId.optional(),
  }),
  effect: "deletes",
  expose: { http: "DELETE /qualitative/categories/{name}", cli: "project category delete <name>" },
  example: { name: "Feelings" },
  plan({ name }, state, call) {
    const project = state.requireProject();
    const existing = findCategoryByName(project.db, name);
    if (!existing) return { name, deleted: false };
    const summary = `Deleted category '${existing.name}'`;
    const message = `This will delete category '${existing.name}'; its ${existing.codes} code(s) stay`;
    return planWrite(
      project,
      { call, operation: "delete_category", summary, preview: { name, message } },
      ({ writer, db }) => {
        for (const id of codeIdsInCategory(db, existing.id))
          writer.update("code_name", id, { catid: null });
        for (const { id, parent } of allCategories(db)) {
          if (parent === existing.id) writer.update("code_cat", id, { supercatid: null });
        }
        writer.remove("code_cat", existing.id);
        return {};
      },
      ({ change_id }) => {
        return { name, deleted: true, change_id };
      },
    );
  },
  present: ({ name, deleted }) => [
    textBlock(deleted ? `Deleted category '${name}'.` : `There is no category '${name}'.`),
  ],
});

export const categoryOperations = [saveCategory, deleteCategory];
