import { computed, signal } from "@preact/signals";
import { createAnchorNamer } from "../../src/text/markdown/heading-anchors.ts";
import { anchorText, visibleTitle } from "../../src/text/markdown/heading-text.ts";
import { readHeadings } from "../../src/text/markdown/headings.ts";
import { address } from "../app/address.ts";
import { splitDocument } from "../markdown/document-chunks.ts";
import { displayTitle, isMarkdown } from "./document-text.ts";
import { openDocument } from "./open-document.ts";

/** Whether the document has a rendered view besides its source. */
export const hasRenderedView = computed(() => isMarkdown(openDocument.value?.file ?? ""));
export const isSourceShown = computed(
  () => !hasRenderedView.value || address.value.part === "source",
);

export const chunkedDocument = computed(() => splitDocument(openDocument.value?.lines ?? []));

export interface OutlinedHeading {
  depth: number;
  title: string;
  line: number;
  anchor: string;
}

/** The headings with their anchors. */
export const documentOutline = computed((): OutlinedHeading[] => {
  if (!hasRenderedView.value) return [];
  const nameOf = createAnchorNamer();
  const { file = "", lines = [] } = openDocument.value ?? {};
  return [...readHeadings(lines)].map(({ depth, title, line }) => {
    const text = anchorText(title, chunkedDocument.value.definitions);
    return { depth, title: visibleTitle(displayTitle(file, text)), line, anchor: nameOf(text) };
  });
});

/** The first visible line. */
export const topLine = signal(1);

/** The line that the user navigated to, while it is visible and the user has not scrolled. */
export const targetLine = signal<number | undefined>(undefined);

/** The index of the current heading in the outline; -1 before the first. */
export const currentHeading = computed(() => {
  const current = targetLine.value ?? topLine.value;
  return documentOutline.value.findLastIndex(({ line }) => line <= current);
});
