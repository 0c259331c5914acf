import { computed, effect, signal } from "@preact/signals";
import { type Address, address } from "../app/address.ts";
import { hitLocation, searchResults } from "./search-results-state.ts";

/** Wide enough for a list and a document side by side. */
const wide = matchMedia("(min-width: 64rem)");
const isWide = signal(wide.matches);
wide.addEventListener("change", () => {
  isWide.value = wide.matches;
});

/** Whether there is a document to show, and room beside the list if it is a preview. */
export const hasSidePane = computed(() => {
  const { view, query, file } = address.value;
  return view === "" && (file !== "" || (isWide.value && query.trim() !== ""));
});

/** The file of the focused result. If it is empty, the first result is previewed. */
export const focusedResult = signal("");

const query = computed(() => address.value.query);
effect(() => {
  void query.value;
  focusedResult.value = "";
});

const next = computed(() => {
  const results = searchResults.answer.value?.results ?? [];
  const hit = results.find(({ file }) => file === focusedResult.value) ?? results[0];
  return hasSidePane.value && address.value.file === "" && hit ? hitLocation(hit) : undefined;
});

/** Skips previews while the user types or moves along the list quickly. */
const debounceMs = 200;

/** The result shown beside the list while no document is open. */
export const previewTarget = signal<Pick<Address, "file" | "line"> | undefined>(undefined);

effect(() => {
  const target = next.value;
  if (!target) {
    previewTarget.value = undefined;
    return undefined;
  }
  const timer = setTimeout(() => {
    const current = previewTarget.peek();
    if (current?.file !== target.file || current.line !== target.line) previewTarget.value = target;
  }, debounceMs);
  return () => clearTimeout(timer);
});
