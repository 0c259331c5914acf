import type { AgreementSegment } from "../../../text/spans/coder-agreement.ts";
import type { Comparison } from "./comparison.ts";
import { type Cell, type Report, titledColumns } from "./report.ts";

/** Every passage that some coders gave a code and others did not, in reading order. */
export function disagreements(comparison: Comparison): Report {
  const { sources, codes, sides, isMarked, pieces, notes } = comparison;
  const rows = sources.flatMap((source) =>
    codes
      .filter(({ id }) => isMarked(source.id, id))
      .flatMap((code) => {
        const own = pieces(source.id, code.id);
        return own.flatMap((piece, index) =>
          isDisputed(piece) ? [{ code, piece, kind: disagreementKindOf(own, index) }] : [],
        );
      })
      .sort((a, b) => a.piece.start - b.piece.start || a.piece.end - b.piece.end)
      .map(({ code, piece: { start, end, markedBy }, kind }): Cell[] => [
        source.id,
        source.name,
        code.id,
        code.name,
        start,
        end,
        kind,
        sides.filter((_, side) => markedBy[side]).join(", "),
        sides.filter((_, side) => !markedBy[side]).join(", "),
        source.text.slice(start, end),
      ]),
  );
  return {
    title: "Disagreements of coders",
    notes: [
      ...notes,
      "edge: the coders agree on an adjacent passage, but not on where it starts or ends. missed: no part of the passage is coded by both.",
    ],
    tables: [
      {
        title: "Passages",
        columns: titledColumns({
          source_id: "Source id",
          source_name: "Source",
          code_id: "Code id",
          code_name: "Code",
          start_pos: "Start",
          end_pos: "End",
          kind: "Kind",
          coded_by: "Coded by",
          not_by: "Not by",
          text: "Text",
        }),
        rows,
      },
    ],
  };
}

const isDisputed = ({ markedBy }: AgreementSegment): boolean =>
  markedBy.includes(true) && markedBy.includes(false);

const isShared = (piece: AgreementSegment | undefined): boolean =>
  piece?.markedBy.every((marked) => marked) ?? false;

/**
 * `edge` if the disputed passage adjoins one that all coders coded, so only the boundary differs.
 */
function disagreementKindOf(pieces: readonly AgreementSegment[], index: number): "edge" | "missed" {
  let [first, last] = [index, index];
  while (isDisputedAt(pieces, first - 1)) first--;
  while (isDisputedAt(pieces, last + 1)) last++;
  return isShared(pieces[first - 1]) || isShared(pieces[last + 1]) ? "edge" : "missed";
}

const isDisputedAt = (pieces: readonly AgreementSegment[], index: number): boolean => {
  const piece = pieces[index];
  return piece !== undefined && isDisputed(piece);
};
