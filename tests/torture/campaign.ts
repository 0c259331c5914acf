/** The size of a run: in the test suite, interactive, or several hours long. */
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
  concurrency?: number;
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
  description: string;
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
export async function runCampaign(campaign: Campaign, options: Trial): Promise<Report> {
  const { roundOf, concurrency = 1 } = campaign;
  const { scale, onRound } = options;
  const report: Report = { done: {}, losses: [], notes: [] };
  const rounds = Math.ceil(options.count / roundOf);
  let [next, ended] = [0, 0];
  const worker = async (): Promise<void> => {
    while (next < rounds) {
      const number = next++;
      const seed = options.seed + number;
      const count = Math.min(roundOf, options.count - number * roundOf);
      const { done, losses, notes = [] } = await runRound(campaign, { seed, count, scale });
      for (const [kind, times] of Object.entries(done)) {
        report.done[kind] = (report.done[kind] ?? 0) + times;
      }
      report.losses.push(...losses.map((description) => ({ description, seed, count })));
      report.notes.push(...notes.filter((note) => !report.notes.includes(note)));
      ended += count;
      onRound?.(ended);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return report;
}

/** A round that throws counts as a loss. */
async function runRound(campaign: Campaign, round: Round): Promise<RoundReport> {
  try {
    return await campaign.round(round);
  } catch (error) {
    const cause = error instanceof Error ? error.stack : String(error);
    return { done: {}, losses: [`the round failed: ${cause}`] };
  }
}
