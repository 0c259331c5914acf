/** How much of it: for every change of the code, for somebody who waits, for a night. */
export type Scale = "ci" | "usual" | "long";

/** One way to be cruel to the program. */
export interface Campaign {
  name: string;
  /** What is counted, in the plural: `kills`. */
  unit: string;
  counts: Readonly<Record<Scale, number>>;
  /** How many belong together under one seed. */
  roundOf: number;
  /** How many rounds go on at once; one where nothing is said. */
  lanes?: number;
  /** Why it cannot be run here, or nothing where it can. */
  leftOut?(): string | undefined;
  /** The same seed and count do the same, as far as time is not the machine's. */
  round(round: Round): Promise<RoundReport>;
}

export interface Round {
  seed: number;
  count: number;
  scale: Scale;
}

export interface RoundReport {
  /** Everything that was not as it must be. */
  losses: string[];
  /** What was done, by kind. */
  done: Record<string, number>;
  /** What a reader of the counts has to know. */
  notes?: string[];
}

export interface Trial extends Round {
  /** Hears of each round that has ended. */
  onRound?: (done: number) => void;
}

export interface Loss {
  what: string;
  /** The seed and the count of the round in which it was seen. */
  seed: number;
  count: number;
}

export interface Report {
  done: Record<string, number>;
  losses: Loss[];
  notes: string[];
}

/** Runs a campaign in rounds, each with a seed of its own, by which it can be run again alone. */
export async function runCampaign(campaign: Campaign, trial: Trial): Promise<Report> {
  const { roundOf, lanes = 1 } = campaign;
  const { scale, onRound } = trial;
  const report: Report = { done: {}, losses: [], notes: [] };
  const rounds = Math.ceil(trial.count / roundOf);
  let [next, ended] = [0, 0];
  const lane = async (): Promise<void> => {
    while (next < rounds) {
      const number = next++;
      const seed = trial.seed + number;
      const count = Math.min(roundOf, trial.count - number * roundOf);
      const { done, losses, notes = [] } = await guarded(campaign, { seed, count, scale });
      for (const [kind, times] of Object.entries(done)) {
        report.done[kind] = (report.done[kind] ?? 0) + times;
      }
      report.losses.push(...losses.map((what) => ({ what, seed, count })));
      report.notes.push(...notes.filter((note) => !report.notes.includes(note)));
      ended += count;
      onRound?.(ended);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return report;
}

/** A round that breaks off has lost whatever it was to find. */
async function guarded(campaign: Campaign, round: Round): Promise<RoundReport> {
  try {
    return await campaign.round(round);
  } catch (error) {
    return { done: {}, losses: [`the round broke off: ${String(error)}`] };
  }
}
