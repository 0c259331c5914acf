import { computed } from "@preact/signals";
import { storedValue } from "../../settings/stored-value.ts";
import { type Code, codeOf, codes, projectPath } from "../project-state.ts";

/** One for each of the keys 1 to 9. */
const maxRecentCodes = 9;

/** JSON: the ids of the recently used codes by project path, newest first. */
const lists = storedValue("recent-codes", "{}");

const used = computed(() => listsIn(lists.value)[projectPath.value] ?? []);

/** The codes for the keys 1 to 9: recently used ones, then frequently used ones. */
export const recentCodes = computed<readonly Code[]>(() => {
  const recent = used.value.flatMap((id) => codeOf(id) ?? []);
  const others = codes.value
    .filter(({ id }) => !used.value.includes(id))
    .toSorted((a, b) => b.segment_count - a.segment_count || a.id - b.id);
  return [...recent, ...others].slice(0, maxRecentCodes);
});

export function recordCodeUse(id: number): void {
  // A code that has a key keeps it, so that the keys do not move while coding.
  if (used.value.includes(id)) return;
  const list = [id, ...used.value].slice(0, maxRecentCodes);
  lists.value = JSON.stringify({ ...listsIn(lists.value), [projectPath.value]: list });
}

/** The stored value is untrusted: another program of this origin may have written it. */
function listsIn(text: string): Record<string, number[]> {
  try {
    const stored: unknown = JSON.parse(text);
    const entries = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
    return Object.fromEntries(
      entries.map(([path, ids]) => [path, Array.isArray(ids) ? ids.filter(Number.isInteger) : []]),
    );
  } catch {
    return {};
  }
}
