import { computed, effect, signal } from "@preact/signals";
import { type Address, address } from "../address.ts";
import { hits, placeOf } from "./hits.ts";

/** Wide enough for a list and a document side by side. */
const wide = matchMedia("(min-width: 64rem)");
const isWide = signal(wide.matches);
wide.addEventListener("change", () => {
  isWide.value = wide.matches;
});

/** Whether the page has room beside the list, and something to show there. */
export const isBeside = computed(() => {
  const { view, query, file } = address.value;
  return view === "" && (file !== "" || (isWide.value && query.trim() !== ""));
});

/** The result that somebody is at, by its file; the first one where nobody is at any. */
export const lookedAt = signal("");

const query = computed(() => address.value.query);
effect(() => {
  void query.value;
  lookedAt.value = "";
});

const next = computed(() => {
  const results = hits.answer.value?.results ?? [];
  const hit = results.find(({ file }) => file === lookedAt.value) ?? results[0];
  return isBeside.value && address.value.file === "" && hit ? placeOf(hit) : undefined;
});

/** Whoever types or walks along the list fast is not held up by what passes by. */
const settleMs = 200;

/** What is shown beside the list before anything is opened. */
export const previewed = signal<Pick<Address, "file" | "line"> | undefined>(undefined);

effect(() => {
  const place = next.value;
  if (!place) {
    previewed.value = undefined;
    return undefined;
  }
  const waiting = setTimeout(() => {
    const now = previewed.peek();
    if (now?.file !== place.file || now.line !== place.line) previewed.value = place;
  }, settleMs);
  return () => clearTimeout(waiting);
});
