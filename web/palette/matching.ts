import type { Offer } from "./offer.ts";

/** More than anybody looks through. */
const mostShown = 60;

/**
 * Those that hold every word, in their label or in what stands below it. Where the label itself
 * begins with what was typed it comes first, but groups are never torn apart.
 */
export function matching<One extends Pick<Offer, "group" | "label" | "hint">>(
  offers: readonly One[],
  typed: string,
): One[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = offers.filter(({ group, label, hint = "" }) => {
    const told = `${group} ${label} ${hint}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
  const first = words[0] ?? "";
  const rank = ({ label }: One): number => (label.toLowerCase().startsWith(first) ? 0 : 1);
  const groups = [...new Set(found.map(({ group }) => group))];
  const best = (group: string): number =>
    Math.min(...found.filter((one) => one.group === group).map(rank));
  return groups
    .map((group) => ({ group, rank: best(group) }))
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ group }) =>
      found.filter((one) => one.group === group).sort((a, b) => rank(a) - rank(b)),
    )
    .slice(0, mostShown);
}
