import { computed, signal } from "@preact/signals";
import { anchorNames } from "../../src/text/anchors.ts";
import { headingsOf } from "../../src/text/headings.ts";
import { anchorWords, titleFrom } from "../../src/text/markdown/heading-words.ts";
import { address } from "../address.ts";
import { paperFrom } from "../markdown/sheets.ts";
import { isMarkdown, titleShown } from "./document.ts";
import { openDocument } from "./open-document.ts";

/** Whether the document can be seen in two ways, and which is seen. */
export const hasTwoViews = computed(() => isMarkdown(openDocument.value?.file ?? ""));
export const isSource = computed(() => !hasTwoViews.value || address.value.part === "source");

export const paper = computed(() => paperFrom(openDocument.value?.lines ?? []));

export interface OutlinedHeading {
  depth: number;
  title: string;
  line: number;
  anchor: string;
}

/** The headings with the anchors by which links name them. */
export const outline = computed((): OutlinedHeading[] => {
  if (!hasTwoViews.value) return [];
  const nameOf = anchorNames();
  const { file = "", lines = [] } = openDocument.value ?? {};
  return [...headingsOf(lines)].map(({ depth, title, line }) => {
    const words = anchorWords(title, paper.value.definitions);
    return { depth, title: titleFrom(titleShown(file, words)), line, anchor: nameOf(words) };
  });
});

/** The line at the top of what is seen. */
export const topLine = signal(1);

/** The heading that is read under, by its place in the outline; -1 before the first. */
export const currentHeading = computed(() =>
  outline.value.findLastIndex(({ line }) => line <= topLine.value),
);
