import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { defineAttribute, setAttributes, shownAttributes } from "../cases.ts";
import { sharedMemo } from "../memo.ts";
import { attributesOf, attributeTypes } from "../qda/storage-cases.ts";
import { sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const attributeValues = z
  .record(z.string().min(1).max(200), z.union([z.string().max(10_000), z.number(), z.null()]))
  .describe("By name; null takes a value away");

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
    attributes: attributeTypes(state.needed().db).map(({ name, owner, type, memo }) => ({
      name,
      of: owner,
      type,
      memo: sharedMemo(memo),
    })),
  }),
  present: ({ attributes }) => [
    text(
      attributes.map(({ name, of, type }) => `${name}  (${type}, of a ${of})`).join("\n") ||
        "None.",
    ),
  ],
});

const setSourceAttributes = operation({
  name: "set_source_attributes",
  title: "Set a source's attributes",
  summary: "Give a source values of attributes. An attribute that is not there yet is made.",
  input: z.object({
    source_id: idInput.describe("Number of the source"),
    attributes: attributeValues,
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
  run({ source_id, attributes }, state, call) {
    const project = state.needed();
    sourceById(project.db, source_id);
    const summary = `Set attributes of source ${source_id}`;
    const { change_id } = project.write(
      { call, operation: "set_source_attributes", summary },
      (hand) => {
        setAttributes(hand, "file", source_id, attributes);
        return {};
      },
    );
    call.announce({ topic: "source.changed", about: String(source_id) });
    return {
      source_id,
      attributes: shownAttributes(attributesOf(project.db, "file", source_id)),
      change_id,
    };
  },
});

const defineAttributeType = operation({
  name: "define_attribute",
  title: "Define an attribute",
  summary: "Make an attribute that cases or sources can have. Does nothing where it is there.",
  input: z.object({
    name: z.string().describe("Name of the attribute"),
    of: z.enum(["case", "file"]).default("case").describe("file: of sources"),
    type: z.enum(["character", "numeric"]).default("character").describe("Words or numbers"),
    memo: z.string().optional().describe("What is noted about it"),
  }),
  output: z.object({ name: z.string(), of: z.string(), type: z.string(), change_id: changeId }),
  effect: "writes",
  expose: { http: "PUT /qualitative/attributes/{name}", cli: "project attribute define <name>" },
  example: { name: "age", type: "numeric" },
  run({ name, of, type, memo }, state, call) {
    const summary = `Defined attribute '${name}'`;
    const made = state.needed().write({ call, operation: "define_attribute", summary }, (hand) => ({
      type: defineAttribute(hand, { name, of, type, ...(memo !== undefined && { memo }) }),
    }));
    return { name, of, ...made };
  },
});

export const attributeOperations = [listAttributes, defineAttributeType, setSourceAttributes];
