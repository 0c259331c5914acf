import { computed, signal } from "@preact/signals";
import { navigate, screenAddress } from "../app/address.ts";
import { openReader } from "../keyboard/focus.ts";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { recentDocuments } from "../settings/recently-opened.ts";
import { filterItems } from "./item-filter.ts";
import type { PaletteItem } from "./palette-item.ts";

export const paletteText = signal("");

/** Only letters and digits: punctuation would be query syntax. */
const terms = computed(() => paletteText.value.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);

const maxDocumentItems = 8;

/** The limit is high because the search also matches texts, and only names count here. */
const matches = createLiveQuery((signal) => {
  if (terms.value.length === 0) return undefined;
  const typed = paletteText.value;
  const query = terms.value.map((term) => `${term}*`).join(" ");
  return call("find", { query, limit: 50 }, signal).then(({ results }) => ({ typed, results }));
});

/** Whether the results for the current text are still pending. */
export const areDocumentsLoading = computed(
  () =>
    terms.value.length > 0 &&
    matches.failure.value === undefined &&
    matches.answer.value?.typed !== paletteText.value,
);

/** The documents whose title or path matches, except those already listed as recent. */
export const documentItems = computed((): PaletteItem[] => {
  const recent = new Set(recentDocuments.all.value.map(({ name }) => name));
  const items = (matches.answer.value?.results ?? [])
    .filter(({ file }) => !recent.has(file))
    .map(({ file, title }) => documentItem("Documents", file, title));
  return filterItems(items, paletteText.value).slice(0, maxDocumentItems);
});

export const documentItem = (group: string, file: string, title: string): PaletteItem => ({
  group,
  label: title,
  hint: file,
  run() {
    navigate(screenAddress(""));
    openReader({ file, line: 1 });
  },
});
