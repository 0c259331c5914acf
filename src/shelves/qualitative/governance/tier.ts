/**
 * How far an agent may act without a person, from least to most strict. `protect` acts on rows that
 * agents made and proposes what would remove or overwrite a person's work. `suggest` proposes
 * everything. `require` does too, and may ask through a client that the researcher trusts.
 */
export const tiers = ["autonomous", "notify", "protect", "suggest", "require"] as const;

export type Tier = (typeof tiers)[number];

/** Completes the sentence "an agent …" for the person who chooses a tier. */
export const tierMeanings: Record<Tier, string> = {
  autonomous: "acts without asking",
  notify: "acts, and you get a notice",
  protect:
    "acts on what agents made, and you get a notice; proposes what would remove or overwrite what a person made or edited",
  suggest: "proposes, and you decide on the page or at the command line",
  require: "proposes, and may ask you through a client that you trust to relay your answer",
};

export const isStricter = (tier: Tier, other: Tier): boolean =>
  tiers.indexOf(tier) > tiers.indexOf(other);

export const stricterOf = (tier: Tier, other: Tier): Tier =>
  isStricter(tier, other) ? tier : other;
