import { computed } from "@preact/signals";
import { type CodePointOffsets, codePointOffsets } from "../../src/text/spans/offsets.ts";
import { address } from "../app/address.ts";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { sourceChanges } from "../server/server-events.ts";
import type { Span } from "./text/overlap-runs.ts";
import { splitTextBlocks } from "./text/text-blocks.ts";

export type Code = Output<"list_codes">["codes"][number];
export type Category = Output<"list_categories">["categories"][number];
export type Segment = Output<"list_segments_for_source">["segments"][number];

/** The queries below run only while their screen is shown. */
export const isCodingShown = computed(() => address.value.view === "coding");
const needsProject = computed(() => isCodingShown.value || address.value.view === "reports");

export const projectContext = createLiveQuery((signal) =>
  needsProject.value ? call("get_project_context", {}, signal) : undefined,
);

/** The path of the open project; empty if none is open. */
export const projectPath = computed(() => projectContext.answer.value?.project_path ?? "");

export const codebook = createLiveQuery(async (signal) => {
  if (!isCodingShown.value || !projectPath.value) return undefined;
  const [{ sources }, { codes }, { categories }, { coders, current }] = await Promise.all([
    call("list_sources", {}, signal),
    call("list_codes", {}, signal),
    call("list_categories", {}, signal),
    call("list_coders", {}, signal),
  ]);
  const agents = new Set(coders.filter(({ agent }) => agent).map(({ name }) => name));
  return { sources, codes, categories, agents, you: current };
});

export const sources = computed(() => codebook.answer.value?.sources ?? []);
export const codes = computed(() => codebook.answer.value?.codes ?? []);
export const categories = computed(() => codebook.answer.value?.categories ?? []);

const codesById = computed(() => new Map(codes.value.map((code) => [code.id, code])));

export const codeOf = (id: number): Code | undefined => codesById.value.get(id);

/** The item of the URL that shows the inbox instead of a source. */
export const inboxName = "inbox";

/** The current source: named by the URL, else the first. */
export const currentSourceId = computed(() =>
  isCodingShown.value && address.value.item !== inboxName
    ? Number(address.value.item) || sources.value[0]?.id
    : undefined,
);

/** The passage `12-40` or position `12` of the URL, in code points. */
export const addressedRange = computed(() => {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(address.value.part) ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  return last === undefined
    ? { kind: "place" as const, start, end: start + 1 }
    : { kind: "passage" as const, start, end: Number(last) };
});

/** Longer than any text, to read the source as a whole. */
const wholeTextLength = 1_000_000_000;

/** Fetched again only when a text changes, not after every coding. */
const sourceText = createLiveQuery(async (signal) => {
  const source_id = currentSourceId.value;
  if (!projectPath.value || source_id === undefined) return undefined;
  const read = await call(
    "read_source_content",
    { source_id, max_length: wholeTextLength },
    signal,
  );
  return {
    ...read,
    offsets: codePointOffsets(read.content),
    blocks: splitTextBlocks(read.content),
  };
}, sourceChanges);

const segments = createLiveQuery(async (signal) => {
  const source_id = currentSourceId.value;
  if (!projectPath.value || source_id === undefined) return undefined;
  return { source_id, ...(await call("list_segments_for_source", { source_id }, signal)) };
});

/** Fetches the codings of the current source again. Resolves when they are shown. */
export const refreshSegments = (): Promise<void> => segments.refresh();

export interface OpenedSource {
  source_id: number;
  source_name: string;
  content: string;
  offsets: CodePointOffsets;
  /** The blocks in which the text is laid out. */
  blocks: readonly Span[];
  segments: readonly Segment[];
}

/** The text of the current source with its codings. */
export const openedSource = computed<OpenedSource | undefined>(() => {
  const [read, coded] = [sourceText.answer.value, segments.answer.value];
  if (!read || read.source_id !== coded?.source_id || read.source_id !== currentSourceId.value) {
    return undefined;
  }
  return { ...read, segments: coded.segments };
});

export const sourceProblem = computed(() => sourceText.failure.value ?? segments.failure.value);
