import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { fillAttributes, linkCase, setAttributes, shownAttributes, unlinkCase } from "../cases.ts";
import { rewrittenMemo, sharedMemo } from "../memo.ts";
import { refuseBadName } from "../naming.ts";
import { allAttributes, allCases, allLinks, findCase, rowsOfCase } from "../qda/storage-cases.ts";
import type { QualitativeState } from "../state.ts";
import { attributeValues } from "./attributes.ts";
import { changeId, idInput, position } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

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
    const { db } = state.needed();
    const attributes = groupedBy(allAttributes(db, "case"), ({ whose }) => whose);
    const links = groupedBy(allLinks(db), (link) => link.case);
    return {
      cases: allCases(db).map(({ id, name, memo }) => ({
        id,
        name,
        memo: sharedMemo(memo),
        attributes: shownAttributes(attributes.get(id) ?? []),
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
    if (cases.length === 0) return [text("There are no cases.")];
    const lines = cases.map(({ name, attributes: values, sources }) => {
      const known = Object.entries(values).map(([key, value]) => `${key}: ${value}`);
      return [name, ...known, ...sources.map(({ source_name }) => `in ${source_name}`)].join("  ");
    });
    return [text(lines.join("\n"))];
  },
});

const saveCase = operation({
  name: "save_case",
  title: "Save a case",
  summary:
    "Make a case or change one: its name and memo, its attributes, and the sources or parts of them that it is in.",
  input: z.object({
    name: z.string().describe("Name of the case"),
    new_name: z.string().optional().describe("Its name from now on"),
    memo: z.string().optional().describe("What is noted about it"),
    link: z
      .array(
        z.strictObject({
          source_id: idInput,
          start_pos: position.optional(),
          end_pos: position.optional(),
        }),
      )
      .max(1_000)
      .default([])
      .describe("Sources that it is in, all of each or a part"),
    unlink: z.array(idInput).max(1_000).default([]).describe("Sources that it is no more in"),
    attributes: attributeValues.default({}),
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
  run({ name, new_name, memo, link, unlink, attributes: values }, state, call) {
    const project = state.needed();
    const found = findCase(project.db, name);
    const called = new_name ?? name;
    const summary = `${found ? "Changed" : "Created"} case '${called}'`;
    const saved = project.write({ call, operation: "save_case", summary }, (hand) => {
      const { pen, db, owner, date } = hand;
      const before = findCase(db, name);
      const others = allCases(db).filter(({ id }) => id !== before?.id);
      if (!before || new_name !== undefined) refuseBadName(called, others, "CASE_NOT_SAVED");
      const case_id = before
        ? before.id
        : pen.insert("cases", { name: called, memo: memo ?? "", owner, date });
      if (!before) fillAttributes(hand, "case", case_id);
      else if (new_name !== undefined || memo !== undefined) {
        pen.update("cases", case_id, {
          name: called,
          memo: memo === undefined ? before.memo : rewrittenMemo(before.memo, memo),
        });
      }
      unlinkCase(hand, case_id, unlink);
      linkCase(hand, case_id, link);
      setAttributes(hand, "case", case_id, values);
      return { case_id };
    });
    return { ...saved, name: called, created: found === undefined };
  },
  present: ({ name, created }) => [text(`${created ? "Created" : "Changed"} case '${name}'.`)],
});

const deleteCase = operation({
  name: "delete_case",
  title: "Delete a case",
  summary: "Delete a case with its attributes; its sources stay. Does nothing where there is none.",
  input: z.object({ name: z.string().describe("Name of the case") }),
  output: z.object({ name: z.string(), deleted: z.boolean(), change_id: changeId.optional() }),
  effect: "deletes",
  expose: { http: "DELETE /qualitative/cases/{name}", cli: "project case delete <name>" },
  example: { name: "Kim" },
  run({ name }, state, call) {
    const project = state.needed();
    const found = findCase(project.db, name);
    if (!found) return { name, deleted: false };
    const summary = `Deleted case '${name}'`;
    const message = `This will delete case '${name}' and its attributes; its sources stay`;
    const deed = { call, operation: "delete_case", summary, preview: { name, message } };
    const { change_id } = project.write(deed, (hand) => {
      for (const { table, id } of rowsOfCase(hand.db, found.id)) hand.pen.remove(table, id);
      hand.pen.remove("cases", found.id);
      return {};
    });
    return { name, deleted: true, change_id };
  },
  present: ({ name, deleted }) => [
    text(deleted ? `Deleted case '${name}'.` : `There is no case '${name}'.`),
  ],
});

export const caseOperations = [listCases, saveCase, deleteCase];
