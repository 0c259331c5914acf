/** The size of a run: for the test suite, for an interactive run, for a run of hours. */
export type Scale = "ci" | "default" | "long";

/** One stress test of the program. */
export interface Campaign {
  name: string;
  /** The unit of its count, in the plural: `kills`. */
  unit: string;
  counts: Readonly<Record<Scale, number>>;
  /** The number of units per round, which share one seed. */
  roundOf: number;
  /** The number of concurrent rounds, one by default. */
  lanes?: number;
  /** Why the campaign cannot run on this machine; undefined if it can. */
  skipReason?(): string | undefined;
  /** Deterministic for a seed and count, except for timing. */
  round(round: Round): Promise<RoundReport>;
}

export interface Round {
  seed: number;
  count: number;
  scale: Scale;
}

export interface RoundReport {
  /** Descriptions of all losses. */
  losses: string[];
  /** Counts by kind. */
  done: Record<string, number>;
  /** Remarks, printed after the counts. */
  notes?: string[];
}

export interface Trial extends Round {
  /** Called after each round. */
  onRound?: (done: number) => void;
}

export interface Loss {
  what: string;
  /** The seed and the count of the round in which it occurred. */
  seed: number;
  count: number;
}

export interface Report {
  done: Record<string, number>;
  losses: Loss[];
  notes: string[];
}

/** Runs a campaign in rounds, each with its own seed, with which it can be repeated alone. */
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

/** A round that throws counts as a loss. */
async function guarded(campaign: Campaign, round: Round): Promise<RoundReport> {
  try {
    return await campaign.round(round);
  } catch (error) {
    const cause = error instanceof Error ? error.stack : String(error);
    return { done: {}, losses: [`the round failed: ${cause}`] };
  }
}
