/**
 * How far an agent may go by itself, the freest first: it acts; it acts and the researcher is told;
 * it does so with what agents made, and proposes what would remove or overwrite a person's work; it
 * proposes everything; it proposes, and asks through a client that the researcher trusts.
 */
export const tiers = ["autonomous", "notify", "protect", "suggest", "require"] as const;

export type Tier = (typeof tiers)[number];

/** What each tier means, for the people who choose among them. */
export const meaningOf: Record<Tier, string> = {
  autonomous: "acts by itself",
  notify: "acts, and you are told",
  protect:
    "acts on what agents made, and you are told; proposes whatever would remove or overwrite what a person made or edited",
  suggest: "proposes, and you decide on the page or at the command line",
  require: "proposes, and may ask you through a client that you trust to relay your answer",
};

export const isStricter = (one: Tier, other: Tier): boolean =>
  tiers.indexOf(one) > tiers.indexOf(other);

export const stricter = (one: Tier, other: Tier): Tier => (isStricter(one, other) ? one : other);
