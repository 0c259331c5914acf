import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { refuseUnknownCategory } from "../code.ts";
import { categoryNamed, refuseCircle } from "../codebook.ts";
import { rewrittenMemo } from "../memo.ts";
import { refuseBadName } from "../naming.ts";
import { dryInput, previewShape } from "../previewing.ts";
import { codesInCategory } from "../qda/storage-codebook.ts";
import { allCategories } from "../qda/storage-codes.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const saveCategory = operation({
  name: "save_category",
  title: "Save a category",
  summary: "Make a category for codes or change one: its name, its memo, what it stands below.",
  input: z.object({
    name: z.string(),
    new_name: z.string().optional(),
    memo: z.string().optional(),
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
        const all = allCategories(db);
        const others = all.filter(({ id }) => id !== found?.id);
        if (!found || new_name !== undefined) refuseBadName(called, others, task);
        refuseUnknownCategory(db, parent_id ?? null, `${task}/PARENT_NOT_FOUND`);
        if (!found) {
          const row = {
            name: called,
            owner,
            date,
            memo: memo ?? "",
            supercatid: parent_id ?? null,
          };
          return { category_id: pen.insert("code_cat", row) };
        }
        const parent = parent_id === undefined ? found.parent : parent_id;
        refuseCircle(all, found.id, parent, task);
        pen.update("code_cat", found.id, {
          name: called,
          memo: memo === undefined ? found.memo : rewrittenMemo(found.memo, memo),
          supercatid: parent,
        });
        return { category_id: found.id };
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
  input: z.object({ name: z.string(), ...dryInput }),
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
