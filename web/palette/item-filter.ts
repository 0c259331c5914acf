import type { PaletteItem } from "./palette-item.ts";

/** A longer list is not useful. */
const maxItems = 60;

/**
 * The items that contain every word in their group, label or hint. Labels that begin with the first
 * word come first, but groups stay together.
 */
export function filterItems<Item extends Pick<PaletteItem, "group" | "label" | "hint">>(
  items: readonly Item[],
  typed: string,
): Item[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = items.filter(({ group, label, hint = "" }) => {
    const text = `${group} ${label} ${hint}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = words[0] ?? "";
  const rank = ({ label }: Item): number => (label.toLowerCase().startsWith(first) ? 0 : 1);
  const groups = [...new Set(matches.map(({ group }) => group))];
  const best = (group: string): number =>
    Math.min(...matches.filter((item) => item.group === group).map(rank));
  return groups
    .map((group) => ({ group, rank: best(group) }))
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ group }) =>
      matches.filter((item) => item.group === group).sort((a, b) => rank(a) - rank(b)),
    )
    .slice(0, maxItems);
}
