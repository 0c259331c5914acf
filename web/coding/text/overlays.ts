import { type Coder, coderName, coderOf } from "../coders.ts";
import { isPicking } from "../coding-actions.ts";
import { colourOf } from "../colour.ts";
import { addressedRange, codeOf, type OpenedSource, type Segment } from "../project-state.ts";
import { utf16Range } from "../segments/segment-edits.ts";
import { assignLanes, type Span } from "./overlap-runs.ts";
import { selected } from "./selection.ts";

/** A coding to draw over the text. */
export interface CodingOverlay extends Span {
  kind: "coding";
  id: number;
  /** `Hope, default (you)`. */
  label: string;
  colour: string;
  coder: Coder;
  /** The lane of its line below the text, among all codings. */
  lane: number;
}

/** The passage or position of the URL, or the selection while the code picker is open. */
interface MarkOverlay extends Span {
  kind: "passage" | "place" | "chosen";
}

export type Overlay = CodingOverlay | MarkOverlay;

/** All overlays of a source, in UTF-16 code units. */
export function overlaysOf(source: OpenedSource): Overlay[] {
  const spans = source.segments.map((segment) => ({ segment, ...utf16Range(source, segment) }));
  const lanes = assignLanes(spans);
  const codings = spans.map((span): CodingOverlay => {
    const { segment, start, end } = span;
    const coder = coderOf(segment.owner);
    return {
      kind: "coding",
      id: segment.id,
      start,
      end,
      label: `${codeLabel(segment)}, ${coderName(coder)}`,
      colour: colourOf(codeOf(segment.code_id)?.color),
      coder,
      lane: lanes.get(span) ?? 0,
    };
  });
  const chosen = isPicking.value && selected.value;
  return [
    ...codings,
    ...addressedOverlays(source),
    ...(chosen ? [{ kind: "chosen" as const, ...chosen }] : []),
  ];
}

export const codeLabel = ({ code_id }: Segment): string => codeOf(code_id)?.name ?? "a code";

function addressedOverlays(source: OpenedSource): MarkOverlay[] {
  const range = addressedRange.value;
  if (!range) return [];
  const { kind, start: start_position, end: end_position } = range;
  return [{ kind, ...utf16Range(source, { start_position, end_position }) }];
}

/** Two lists of overlays with the same signature look the same. */
export const overlaySignature = (overlays: readonly Overlay[]): string =>
  overlays
    .map((overlay) => {
      const range = `${overlay.kind} ${overlay.start} ${overlay.end}`;
      if (overlay.kind !== "coding") return range;
      const { id, label, colour, coder, lane } = overlay;
      return `${range} ${id} ${label} ${colour} ${coder.lane} ${coder.pattern.stroke} ${lane}`;
    })
    .join("\n");
