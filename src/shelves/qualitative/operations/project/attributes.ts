import * as z from "zod";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { attributeValuesByName, defineAttribute, setAttributes } from "../../project/cases.ts";
import { sharedMemo } from "../../project/memo.ts";
import { allAttributeTypes, attributesOfOwner } from "../../qda/storage-cases.ts";
import { requireSource } from "../../sources/source.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

export const attributeValuesInput = z
  .record(z.string().min(1).max(200), z.union([z.string().max(10_000), z.number(), z.null()]))
  .describe("By name; null deletes a value");

const listAttributes = operation({
  name: "list_attributes",
  title: "List attributes",
  summary: "The attributes that cases and sources can have, and whether each is a number.",
  input: z.object({}),
  output: z.object({
    attributes: z.array(
      z.object({
        name: z.string(),
        of: z.string(),
        type: z.string(),
        memo: z.string().nullable(),
      }),
    ),
  }),
  effect: "reads",
  expose: { http: "GET /qualitative/attributes", cli: "project attributes" },
  example: {},
  run: (_input, state) => ({
    attributes: allAttributeTypes(state.requireProject().db).map(({ name, owner, type, memo }) => ({
      name,
      of: owner,
      type,
      memo: sharedMemo(memo),
    })),
  }),
  present: ({ attributes }) => [
    textBlock(
      attributes.map(({ name, of, type }) => `${name}  (${type}, of a ${of})`).join("\n") ||
        "None.",
    ),
  ],
});

const setSourceAttributes = writeOperation({
  name: "set_source_attributes",
  title: "Set a source's attributes",
  summary: "Set attributes of a source. A missing attribute is defined first.",
  input: z.object({
    source_id: rowIdInput.describe("Id of the source"),
    attributes: attributeValuesInput,
  }),
  output: z.object({
    source_id: z.int(),
    attributes: z.record(z.string(), z.string()),
    change_id: changeId,
  }),
  effect: "writes",
  expose: {
    http: "PUT /qualitative/sources/{source_id}/attributes",
    cli: "project source attributes <source_id>",
  },
  example: { source_id: 1, attributes: { place: "Bonn" } },
  plan({ source_id, attributes }, state, call) {
    const project = state.requireProject();
    requireSource(project.db, source_id);
    const summary = `Set attributes of source ${source_id}`;
    return planWrite(
      project,
      { call, operation: "set_source_attributes", summary },
      (context) => {
        setAttributes(context, "file", source_id, attributes);
        return {};
      },
      ({ change_id }) => {
        call.announce({ topic: "source.changed", about: String(source_id) });
        return {
          source_id,
          attributes: attributeValuesByName(attributesOfOwner(project.db, "file", source_id)),
          change_id,
        };
      },
    );
  },
});

const defineAttributeOperation = writeOperation({
  name: "define_attribute",
  title: "Define an attribute",
  summary: "Define an attribute of cases or sources. Does nothing if it exists.",
  input: z.object({
    name: z.string().describe("Name of the attribute"),
    of: z.enum(["case", "file"]).default("case").describe("file: of sources"),
    type: z.enum(["character", "numeric"]).default("character").describe("Text or numbers"),
    memo: z.string().optional().describe("Memo"),
  }),
  output: z.object({ name: z.string(), of: z.string(), type: z.string(), change_id: changeId }),
  effect: "writes",
  expose: { http: "PUT /qualitative/attributes/{name}", cli: "project attribute define <name>" },
  example: { name: "age", type: "numeric" },
  plan({ name, of, type, memo }, state, call) {
    const summary = `Defined attribute '${name}'`;
    return planWrite(
      state.requireProject(),
      { call, operation: "define_attribute", summary },
      (context) => ({
        type: defineAttribute(context, { name, of, type, ...(memo !== undefined && { memo }) }),
      }),
      (defined) => {
        return { name, of, ...defined };
      },
    );
  },
});

export const attributeOperations = [listAttributes, defineAttributeOperation, setSourceAttributes];
