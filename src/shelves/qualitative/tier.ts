/**
 * How far an agent may go by itself, the freest first: it acts; it acts and the researcher is told;
 * it proposes; it asks and waits.
 */
export const tiers = ["autonomous", "notify", "suggest", "require"] as const;

export type Tier = (typeof tiers)[number];

export const isStricter = (one: Tier, other: Tier): boolean =>
  tiers.indexOf(one) > tiers.indexOf(other);

export const stricter = (one: Tier, other: Tier): Tier => (isStricter(one, other) ? one : other);
