import { computed } from "@preact/signals";
import { kept } from "../kept.ts";
import { type Code, codeOf, codes, project } from "./project.ts";

/** One for each digit. */
const most = 9;

/** By the path of each project the numbers of the codes that were used, the newest first. */
const lists = kept("recent-codes", "{}");

const used = computed(() => listsIn(lists.value)[project.value] ?? []);

/** Codes for the keys 1 to 9: those used last, then those used most. */
export const recent = computed<readonly Code[]>(() => {
  const last = used.value.flatMap((id) => codeOf(id) ?? []);
  const others = codes.value
    .filter(({ id }) => !used.value.includes(id))
    .toSorted((a, b) => b.segment_count - a.segment_count || a.id - b.id);
  return [...last, ...others].slice(0, most);
});

export function noteUse(id: number): void {
  // A key keeps its code while somebody codes with those that have one already.
  if (used.value.includes(id)) return;
  const list = [id, ...used.value].slice(0, most);
  lists.value = JSON.stringify({ ...listsIn(lists.value), [project.value]: list });
}

/** Another program of this address may have written there. */
function listsIn(text: string): Record<string, number[]> {
  try {
    const found: unknown = JSON.parse(text);
    const entries = typeof found === "object" && found !== null ? Object.entries(found) : [];
    return Object.fromEntries(
      entries.map(([path, ids]) => [path, Array.isArray(ids) ? ids.filter(Number.isInteger) : []]),
    );
  } catch {
    return {};
  }
}
