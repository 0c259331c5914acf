import { computed } from "@preact/signals";
import { type Offsets, offsetsOf } from "../../src/text/offsets.ts";
import { address } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { sourceChanges } from "../live.ts";
import { blocksOf } from "./blocks.ts";
import type { Stretch } from "./runs.ts";

export type Code = Output<"list_codes">["codes"][number];
export type Category = Output<"list_categories">["categories"][number];
export type Segment = Output<"list_segments_for_source">["segments"][number];

/** What nobody sees is not asked for. */
export const isShown = computed(() => address.value.view === "coding");
const needsProject = computed(() => isShown.value || address.value.view === "reports");

export const context = asking((signal) =>
  needsProject.value ? call("get_project_context", {}, signal) : undefined,
);

/** The path of the open project; empty where none is open. */
export const project = computed(() => context.answer.value?.project_path ?? "");

export const codebook = asking(async (signal) => {
  if (!isShown.value || !project.value) return undefined;
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

/** Instead of a source: what has lost its place. */
export const inboxName = "inbox";

/** The source that is looked at: named by the address, else the first. */
export const sourceId = computed(() =>
  isShown.value && address.value.of !== inboxName
    ? Number(address.value.of) || sources.value[0]?.id
    : undefined,
);

/** What the address points to: a passage, `12-40`, a mere place in the text, `12`, or nothing. */
export const pointed = computed(() => {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(address.value.part) ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  return last === undefined
    ? { kind: "place" as const, start, end: start + 1 }
    : { kind: "passage" as const, start, end: Number(last) };
});

/** More than any text has: a source is read as a whole. */
const everything = 1_000_000_000;

/** A long text is read again only where a text has changed, not at every coding. */
const text = asking(async (signal) => {
  const source_id = sourceId.value;
  if (!project.value || source_id === undefined) return undefined;
  const read = await call("read_source_content", { source_id, max_length: everything }, signal);
  return { ...read, offsets: offsetsOf(read.content), blocks: blocksOf(read.content) };
}, sourceChanges);

const segments = asking(async (signal) => {
  const source_id = sourceId.value;
  if (!project.value || source_id === undefined) return undefined;
  return { source_id, ...(await call("list_segments_for_source", { source_id }, signal)) };
});

export interface OpenedSource {
  source_id: number;
  source_name: string;
  content: string;
  offsets: Offsets;
  /** The parts in which the text is laid out. */
  blocks: readonly Stretch[];
  segments: readonly Segment[];
}

/** A source's text with what is coded in it. */
export const opened = computed<OpenedSource | undefined>(() => {
  const [read, coded] = [text.answer.value, segments.answer.value];
  if (!read || read.source_id !== coded?.source_id || read.source_id !== sourceId.value) {
    return undefined;
  }
  return { ...read, segments: coded.segments };
});

export const problem = computed(() => text.failure.value ?? segments.failure.value);
