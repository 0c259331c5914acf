import * as z from "zod";
import { Failure } from "../../../../kernel/failure.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { assertValidName } from "../../project/names.ts";
import { allSources, sourceNames } from "../../qda/storage-sources.ts";
import { insertSource } from "../../sources/add-source.ts";
import {
  assertInsideText,
  invalidPosition,
  readSourceText,
  requireSource,
  toSourceOutput,
} from "../../sources/source.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput, textPosition } from "../inputs.ts";
import { optionalPageInput, optionalPageOutput, takeOptionalPage } from "../optional-page.ts";

const operation = operationsFor<QualitativeState>();

export const listSources = operation({
  name: "list_sources",
  title: "List sources",
  summary: "All sources of the project with their types, sizes and numbers of codings.",
  input: z.object({
    source_type: z.string().optional().describe("Only text, audio, video, image or pdf"),
    ...optionalPageInput,
  }),
  output: z.object({
    count: z.int(),
    sources: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        type: z.string(),
        status: z.string(),
        file_path: z.string().nullable(),
        memo: z.string().nullable(),
        file_size: z.int().nullable(),
        origin: z.string().nullable(),
        code_count: z.int(),
        folder_id: z.int().nullable(),
        language: z.string().optional(),
        topics: z.array(z.string()).optional(),
        organization: z.string().optional(),
        private: z.boolean().optional(),
      }),
    ),
    ...optionalPageOutput,
  }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  run({ source_type, ...paging }, state) {
    const sources = allSources(state.requireProject().db)
      .map(toSourceOutput)
      .filter(({ type }) => source_type === undefined || type === source_type);
    const { part, cut } = takeOptionalPage(sources, paging);
    return { count: sources.length, sources: part, ...cut };
  },
});

export const readSourceContent = operation({
  name: "read_source_content",
  title: "Read a source",
  summary:
    "A source's text, or a part of it. Positions count Unicode code points from 0. Continue at next_start_pos if has_more.",
  input: z.object({
    source_id: rowIdInput,
    start_pos: textPosition.default(0),
    end_pos: textPosition.optional().describe("Exclusive; the text's end by default"),
    max_length: z.int().min(1).default(50_000),
  }),
  output: z.object({
    source_id: z.int(),
    source_name: z.string(),
    content: z.string(),
    start_pos: z.int(),
    end_pos: z.int(),
    total_length: z.int(),
    has_more: z.boolean(),
    next_start_pos: z.int().optional(),
  }),
  effect: "reads",
  expose: { mcp: true },
  example: { source_id: 1, max_length: 200 },
  run({ source_id, start_pos, end_pos, max_length }, state) {
    const { db } = state.requireProject();
    const { name } = requireSource(db, source_id);
    const text = readSourceText(db, source_id);
    const endPosition = end_pos ?? text.length;
    if (start_pos < 0 || endPosition < start_pos || endPosition > text.length) {
      throw invalidPosition(start_pos, endPosition, text.length);
    }
    const end = Math.min(endPosition, start_pos + max_length);
    return {
      source_id,
      source_name: name,
      content: text.slice(start_pos, end),
      start_pos,
      end_pos: end,
      total_length: text.length,
      has_more: end < endPosition,
      ...(end < endPosition && { next_start_pos: end }),
    };
  },
});

const addTextSource = writeOperation({
  name: "add_text_source",
  title: "Add a text",
  summary: "Add a text to the project as a new source. It is stored exactly as given.",
  input: z.object({
    name: z.string(),
    content: z.string(),
    memo: z.string().optional(),
    origin: z.string().optional().describe("Where the source comes from"),
  }),
  output: z.object({
    source_id: z.int(),
    name: z.string(),
    type: z.string(),
    status: z.string(),
    file_size: z.int(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { name: "Diary 1", content: "It rained. I stayed in." },
  plan({ name, content, memo, origin }, state, call) {
    const project = state.requireProject();
    assertValidName(name, sourceNames(project.db), addErrorCode, "source");
    if (content === "") throw sourceNotAdded("EMPTY_CONTENT", "Source content cannot be empty");
    if (!content.isWellFormed()) {
      throw sourceNotAdded("INVALID_TEXT", "The text contains a lone surrogate");
    }
    return planWrite(
      project,
      { call, operation: "add_text_source", summary: "Added a source" },
      (context) =>
        insertSource(context, { name, text: content, mediapath: null, memo, origin }, addErrorCode),
      (added) => {
        call.announce({ topic: "source.changed", about: String(added.source_id) });
        return {
          ...added,
          name,
          type: "text",
          status: "imported",
          file_size: Buffer.byteLength(content),
        };
      },
    );
  },
});

const addErrorCode = "SOURCE_NOT_ADDED";

const sourceNotAdded = (reason: string, message: string): Failure =>
  new Failure("invalid", `${addErrorCode}/${reason}`, message);

const navigateToSegment = operation({
  name: "navigate_to_segment",
  title: "Show a passage",
  summary: "Show a passage of a source to the researcher, in every open page.",
  input: z.object({
    source_id: rowIdInput,
    start_pos: textPosition,
    end_pos: textPosition,
    highlight: z.boolean().default(true),
  }),
  output: z.object({
    navigated_to: z.object({
      source_id: z.int(),
      start_pos: z.int(),
      end_pos: z.int(),
      highlight: z.boolean(),
    }),
    current_screen: z.string(),
    seen_by: z.int().describe("How many open pages show it"),
  }),
  effect: "reads",
  expose: { mcp: true },
  example: { source_id: 1, start_pos: 0, end_pos: 10 },
  *run(navigated_to, state, call) {
    const { source_id, start_pos, end_pos } = navigated_to;
    const { db } = state.requireProject();
    requireSource(db, source_id);
    assertInsideText(readSourceText(db, source_id), start_pos, end_pos);
    call.announce({ topic: "segment.navigate", about: JSON.stringify(navigated_to) });
    state.screen = "coding";
    return { navigated_to, current_screen: state.screen, seen_by: yield* state.viewers.count() };
  },
});

export const sourceOperations = [listSources, readSourceContent, addTextSource, navigateToSegment];
