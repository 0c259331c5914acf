import { computed } from "@preact/signals";
import { offsetsOf } from "../../src/text/offsets.ts";
import { type Address, address, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";

export type Code = Output<"list_codes">["codes"][number];
export type Category = Output<"list_categories">["categories"][number];
export type Segment = Output<"list_segments_for_source">["segments"][number];

/** What nobody sees is not asked for. */
const isShown = computed(() => address.value.view === "coding");
const needsProject = computed(() => isShown.value || address.value.view === "reports");

export const context = asking((signal) =>
  needsProject.value ? call("get_project_context", {}, signal) : undefined,
);

/** The path of the open project; empty where none is open. */
export const project = computed(() => context.answer.value?.project_path ?? "");

const codebook = asking(async (signal) => {
  if (!isShown.value || !project.value) return undefined;
  const [{ sources }, { codes }, { categories }, { coders }] = await Promise.all([
    call("list_sources", {}, signal),
    call("list_codes", {}, signal),
    call("list_categories", {}, signal),
    call("list_coders", {}, signal),
  ]);
  const agents = new Set(coders.filter(({ agent }) => agent).map(({ name }) => name));
  return { sources, codes, categories, agents };
});

export const sources = computed(() => codebook.answer.value?.sources ?? []);
export const codes = computed(() => codebook.answer.value?.codes ?? []);
export const categories = computed(() => codebook.answer.value?.categories ?? []);

export const isAgent = (owner: string | null): boolean =>
  codebook.answer.value?.agents.has(owner ?? "") ?? false;

export const codeOf = (id: number): Code | undefined => codes.value.find((code) => code.id === id);

/** The source that is looked at: named by the address, else the first. */
export const sourceId = computed(() =>
  isShown.value ? Number(address.value.of) || sources.value[0]?.id : undefined,
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

/** Long texts are shown in parts of so many characters. */
const partLength = 50_000;

const from = computed(() => Math.floor((pointed.value?.start ?? 0) / partLength) * partLength);

/** A part of a source's text with what is coded in it. */
export const opened = asking(async (signal) => {
  const source_id = sourceId.value;
  const start_pos = from.value;
  if (!project.value || source_id === undefined) return undefined;
  const [text, { segments }] = await Promise.all([
    call("read_source_content", { source_id, start_pos, max_length: partLength }, signal),
    call("list_segments_for_source", { source_id }, signal),
  ]);
  return { ...text, offsets: offsetsOf(text.content), segments };
});

export type OpenedSource = NonNullable<NonNullable<typeof opened.answer.value>>;

/** The parts before and behind the one that is shown. */
export function neighboursOf({ source_id, start_pos, total_length }: OpenedSource): {
  before: Address | undefined;
  behind: Address | undefined;
} {
  const at = (start: number): Address => screen("coding", String(source_id), String(start));
  const next = start_pos + partLength;
  return {
    before: start_pos > 0 ? at(Math.max(0, start_pos - partLength)) : undefined,
    behind: next < total_length ? at(next) : undefined,
  };
}
