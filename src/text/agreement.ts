/** A stretch of a text, in whatever unit is counted, the end left out. */
export interface Stretch {
  start: number;
  end: number;
}

/** A stretch over which nothing changes: `by` says of each coder whether it is marked there. */
export interface Piece extends Stretch {
  by: readonly boolean[];
}

/**
 * Cuts a text where any coder's mark begins or ends. Marks of one coder that lie over each other
 * are one mark, and what lies outside of the text is left out.
 *
 *     one    [----]          pieces  one | both | other | nobody
 *     other     [-----]
 */
export function piecesOf(coders: readonly (readonly Stretch[])[], length: number): Piece[] {
  const depths = coders.map(() => 0);
  const pieces: Piece[] = [];
  let from = 0;
  for (const { at, coder, step } of edgesOf(coders, length)) {
    extend(pieces, { start: from, end: at, by: depths.map((depth) => depth > 0) });
    depths[coder] = (depths[coder] ?? 0) + step;
    from = at;
  }
  extend(pieces, { start: from, end: length, by: depths.map(() => false) });
  return pieces;
}

function edgesOf(coders: readonly (readonly Stretch[])[], length: number) {
  return coders
    .flatMap((stretches, coder) =>
      stretches
        .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(length, end) }))
        .filter(({ start, end }) => start < end)
        .flatMap(({ start, end }) => [
          { at: start, coder, step: 1 },
          { at: end, coder, step: -1 },
        ]),
    )
    .sort((one, other) => one.at - other.at);
}

/** Where nothing has changed, the piece before grows instead. */
function extend(pieces: Piece[], piece: Piece): void {
  if (piece.start >= piece.end) return;
  const last = pieces.at(-1);
  if (last?.by.every((marked, coder) => marked === piece.by[coder])) last.end = piece.end;
  else pieces.push(piece);
}

/** How many units one coder marks in all. */
export const lengthOf = (stretches: readonly Stretch[], length = Number.MAX_SAFE_INTEGER): number =>
  unitsWhere(piecesOf([stretches], length), ([marked]) => marked === true);

/** What two coders decided, counted in units. */
export interface Decisions {
  both: number;
  first: number;
  second: number;
  neither: number;
}

export function decisionsOf(pieces: readonly Piece[], one: number, other: number): Decisions {
  const count = (first: boolean, second: boolean) =>
    unitsWhere(pieces, (by) => by[one] === first && by[other] === second);
  return {
    both: count(true, true),
    first: count(true, false),
    second: count(false, true),
    neither: count(false, false),
  };
}

/** How many units were marked by none of the coders, by one of them, by two, and so on. */
export const votesOf = (pieces: readonly Piece[], coders: number): number[] =>
  Array.from({ length: coders + 1 }, (_, votes) =>
    unitsWhere(pieces, (by) => by.filter((marked) => marked).length === votes),
  );

const unitsWhere = (pieces: readonly Piece[], holds: (by: readonly boolean[]) => boolean): number =>
  pieces.reduce((sum, { start, end, by }) => (holds(by) ? sum + end - start : sum), 0);

/** The votes of two coders, as `krippendorffsAlpha` takes them. */
export const votesIn = ({ both, first, second, neither }: Decisions): number[] => [
  neither,
  first + second,
  both,
];

/**
 * Cohen's kappa of two coders who mark each unit or not: agreement beyond what two coders with the
 * same habits would reach by chance. Undefined where both mark everything or nothing, since chance
 * leaves nothing to explain there.
 */
export function cohensKappa({ both, first, second, neither }: Decisions): number | undefined {
  const all = both + first + second + neither;
  const [one, other] = [both + first, both + second];
  if ((one === 0 && other === 0) || (one === all && other === all)) return undefined;
  const observed = (both + neither) / all;
  const expected = (one * other + (all - one) * (all - other)) / (all * all);
  return (observed - expected) / (1 - expected);
}

/**
 * Krippendorff's alpha of any number of coders who mark each unit or not, from the units that each
 * number of coders marked. Undefined where there is no variation, or only one coder.
 */
export function krippendorffsAlpha(votes: readonly number[]): number | undefined {
  const coders = votes.length - 1;
  const values = coders * sumOf(votes);
  const marked = sumOf(votes.map((units, count) => units * count));
  if (coders < 2 || marked === 0 || marked === values) return undefined;
  const differing = differencesIn(votes) / (coders - 1);
  return 1 - ((values - 1) * differing) / (marked * (values - marked));
}

/** The share of decisions that two coders share, on average over all pairs of coders. */
export function agreementOf(votes: readonly number[]): number | undefined {
  const coders = votes.length - 1;
  const decisions = (sumOf(votes) * coders * (coders - 1)) / 2;
  return decisions === 0 ? undefined : 1 - differencesIn(votes) / decisions;
}

/** Over all units and pairs of coders, how often one marks what the other does not. */
const differencesIn = (votes: readonly number[]): number =>
  sumOf(votes.map((units, count) => units * count * (votes.length - 1 - count)));

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/**
 * The figure that QualCoder calls kappa, for whoever compares with its tables: it leaves out what
 * nobody coded, and multiplies the two chances where Cohen adds them.
 */
export function qualcoderKappa({ both, first, second }: Decisions): number | undefined {
  const coded = both + first + second;
  if (coded === 0) return undefined;
  const [one, other] = [both + first, both + second];
  const expected =
    ((one / coded) * (other / coded) * (coded - one) * (coded - other)) / (coded * coded);
  return (both / coded - expected) / (1 - expected);
}
