import * as z from "zod";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { groupBy } from "../../../../text/arrays/group-by.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import {
  attributeValuesByName,
  insertEmptyAttributes,
  linkCase,
  setAttributes,
  unlinkCase,
} from "../../project/cases.ts";
import { replaceSharedMemo, sharedMemo } from "../../project/memo.ts";
import { assertValidName } from "../../project/names.ts";
import {
  allAttributes,
  allCaseLinks,
  allCases,
  dependentRowsOfCase,
  findCase,
} from "../../qda/storage-cases.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput, textPosition } from "../inputs.ts";
import { attributeValuesInput } from "./attributes.ts";

const operation = operationsFor<QualitativeState>();

const Case = z.object({
  id: z.int(),
  name: z.string(),
  memo: z.string().nullable(),
  attributes: z.record(z.string(), z.string()),
  sources: z.array(
    z.object({
      source_id: z.int(),
      source_name: z.string(),
      start_pos: z.int(),
      end_pos: z.int(),
    }),
  ),
});

const listCases = operation({
  name: "list_cases",
  title: "List cases",
  summary: "The cases of the project, such as persons or places, with attributes and sources.",
  input: z.object({}),
  output: z.object({ cases: z.array(Case) }),
  effect: "reads",
  expose: { http: "GET /qualitative/cases", cli: "project cases" },
  example: {},
  run(_input, state) {
    const { db } = state.requireProject();
    const attributes = groupBy(allAttributes(db, "case"), ({ whose }) => whose);
    const links = groupBy(allCaseLinks(db), (link) => link.case);
    return {
      cases: allCases(db).map(({ id, name, memo }) => ({
        id,
        name,
        memo: sharedMemo(memo),
        attributes: attributeValuesByName(attributes.get(id) ?? []),
        sources: (links.get(id) ?? []).map(({ source, sourceName, start, end }) => ({
          source_id: source,
          source_name: sourceName,
          start_pos: start,
          end_pos: end,
        })),
      })),
    };
  },
  present({ cases }) {
    if (cases.length === 0) return [textBlock("There are no cases.")];
    const lines = cases.map(({ name, attributes: values, sources }) => {
      const attributeTexts = Object.entries(values).map(([key, value]) => `${key}: ${value}`);
      return [
        name,
        ...attributeTexts,
        ...sources.map(({ source_name }) => `in ${source_name}`),
      ].join("  ");
    });
    return [textBlock(lines.join("\n"))];
  },
});

const saveCase = writeOperation({
  name: "save_case",
  title: "Save a case",
  summary:
    "Create or change a case: its name, memo, attributes, and the sources or passages linked to it.",
  input: z.object({
    name: z.string().describe("Name of the case"),
    new_name: z.string().optional().describe("New name"),
    memo: z.string().optional().describe("Memo"),
    link: z
      .array(
        z.strictObject({
          source_id: rowIdInput,
          start_pos: textPosition.optional(),
          end_pos: textPosition.optional(),
        }),
      )
      .max(1_000)
      .default([])
      .describe("Sources to link, whole or in part"),
    unlink: z.array(rowIdInput).max(1_000).default([]).describe("Sources to unlink"),
    attributes: attributeValuesInput.default({}),
  }),
  output: z.object({
    case_id: z.int(),
    name: z.string(),
    created: z.boolean(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { http: "PUT /qualitative/cases/{name}", cli: "project case save <name>" },
  example: { name: "Kim", link: [{ source_id: 1 }], attributes: { age: 34 } },
  plan({ name, new_name, memo, link, unlink, attributes: values }, state, call) {
    const project = state.requireProject();
    const existing = findCase(project.db, name);
    const newName = new_name ?? name;
    const summary = `${existing ? "Changed" : "Created"} case '${newName}'`;
    return planWrite(
      project,
      { call, operation: "save_case", summary },
      (context) => {
        const { writer, db, owner, date } = context;
        const before = findCase(db, name);
        const others = allCases(db).filter(({ id }) => id !== before?.id);
        if (!before || new_name !== undefined) assertValidName(newName, others, "CASE_NOT_SAVED");
        const case_id = before
          ? before.id
          : writer.insert("cases", { name: newName, memo: memo ?? "", owner, date });
        if (!before) insertEmptyAttributes(context, "case", case_id);
        else if (new_name !== undefined || memo !== undefined) {
          writer.update("cases", case_id, {
            name: newName,
            memo: memo === undefined ? before.memo : replaceSharedMemo(before.memo, memo),
          });
        }
        unlinkCase(context, case_id, unlink);
        linkCase(context, case_id, link);
        setAttributes(context, "case", case_id, values);
        return { case_id };
      },
      (saved) => {
        return { ...saved, name: newName, created: existing === undefined };
      },
    );
  },
  present: ({ name, created }) => [textBlock(`${created ? "Created" : "Changed"} case '${name}'.`)],
});

const deleteCase = writeOperation({
  name: "delete_case",
  title: "Delete a case",
  summary:
    "Delete a case with its attributes; its sources stay. Does nothing if it does not exist.",
  input: z.object({ name: z.string().describe("Name of the case") }),
  output: z.object({ name: z.string(), deleted: z.boolean(), change_id: changeId.optional() }),
  effect: "deletes",
  expose: { http: "DELETE /qualitative/cases/{name}", cli: "project case delete <name>" },
  example: { name: "Kim" },
  plan({ name }, state, call) {
    const project = state.requireProject();
    const existing = findCase(project.db, name);
    if (!existing) return { name, deleted: false };
    const summary = `Deleted case '${name}'`;
    const message = `This will delete case '${name}' and its attributes; its sources stay`;
    const request = { call, operation: "delete_case", summary, preview: { name, message } };
    return planWrite(
      project,
      request,
      (context) => {
        for (const { table, id } of dependentRowsOfCase(context.db, existing.id))
          context.writer.remove(table, id);
        context.writer.remove("cases", existing.id);
        return {};
      },
      ({ change_id }) => {
        return { name, deleted: true, change_id };
      },
    );
  },
  present: ({ name, deleted }) => [
    textBlock(deleted ? `Deleted case '${name}'.` : `There is no case '${name}'.`),
  ],
});

export const caseOperations = [listCases, saveCase, deleteCase];
