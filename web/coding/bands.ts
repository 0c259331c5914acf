import { isPicking } from "./applying.ts";
import { type Coder, coderOf, nameOf } from "./coders.ts";
import { colourOf } from "./colour.ts";
import { codeOf, type OpenedSource, pointed, type Segment } from "./project.ts";
import { unitsOf } from "./recoding.ts";
import { lanesOf, type Stretch } from "./runs.ts";
import { selected } from "./selection.ts";

/** A coding as it is drawn. */
export interface CodingBand extends Stretch {
  kind: "coding";
  id: number;
  /** `Hope, default (you)`. */
  label: string;
  colour: string;
  coder: Coder;
  /** Among all codings, for the lines below the words. */
  lane: number;
}

/** The passage or place that the address points to, or the selection while a code is picked. */
interface MarkBand extends Stretch {
  kind: "passage" | "place" | "chosen";
}

/** What lies over the text. */
export type Band = CodingBand | MarkBand;

/** Everything that lies over a text, in its units. */
export function bandsOf(source: OpenedSource): Band[] {
  const stretches = source.segments.map((segment) => ({ segment, ...unitsOf(source, segment) }));
  const lanes = lanesOf(stretches);
  const codings = stretches.map((one): CodingBand => {
    const { segment, start, end } = one;
    const coder = coderOf(segment.owner);
    return {
      kind: "coding",
      id: segment.id,
      start,
      end,
      label: `${labelOf(segment)}, ${nameOf(coder)}`,
      colour: colourOf(codeOf(segment.code_id)?.color),
      coder,
      lane: lanes.get(one) ?? 0,
    };
  });
  const chosen = isPicking.value && selected.value;
  return [
    ...codings,
    ...pointedIn(source),
    ...(chosen ? [{ kind: "chosen" as const, ...chosen }] : []),
  ];
}

export const labelOf = ({ code_id }: Segment): string => codeOf(code_id)?.name ?? "a code";

function pointedIn(source: OpenedSource): MarkBand[] {
  const place = pointed.value;
  if (!place) return [];
  const { kind, start: start_position, end: end_position } = place;
  return [{ kind, ...unitsOf(source, { start_position, end_position }) }];
}

/** Two lists of bands with one mark look the same. */
export const markOf = (bands: readonly Band[]): string =>
  bands
    .map((band) => {
      const place = `${band.kind} ${band.start} ${band.end}`;
      if (band.kind !== "coding") return place;
      const { id, label, colour, coder, lane } = band;
      return `${place} ${id} ${label} ${colour} ${coder.lane} ${coder.pattern.stroke} ${lane}`;
    })
    .join("\n");
