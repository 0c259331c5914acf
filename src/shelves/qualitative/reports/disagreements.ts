import type { Piece } from "../../../text/agreement.ts";
import type { Comparison } from "./comparison.ts";
import { type Cell, columnsOf, type Report } from "./report.ts";

/** Every passage that some gave a code and others did not, in reading order. */
export function disagreements(comparison: Comparison): Report {
  const { sources, codes, sides, isMarked, pieces, notes } = comparison;
  const rows = sources.flatMap((source) =>
    codes
      .filter(({ id }) => isMarked(source.id, id))
      .flatMap((code) => {
        const own = pieces(source.id, code.id);
        return own.flatMap((piece, place) =>
          isDisputed(piece) ? [{ code, piece, kind: kindOf(own, place) }] : [],
        );
      })
      .sort((a, b) => a.piece.start - b.piece.start || a.piece.end - b.piece.end)
      .map(({ code, piece: { start, end, by }, kind }): Cell[] => [
        source.id,
        source.name,
        code.id,
        code.name,
        start,
        end,
        kind,
        sides.filter((_, side) => by[side]).join(", "),
        sides.filter((_, side) => !by[side]).join(", "),
        source.text.slice(start, end),
      ]),
  );
  return {
    title: "Disagreements of coders",
    notes: [
      ...notes,
      "edge: the coders agree beside it and differ where it begins or ends. missed: they share nothing of it.",
    ],
    tables: [
      {
        title: "Passages",
        columns: columnsOf({
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

const isDisputed = ({ by }: Piece): boolean => by.includes(true) && by.includes(false);

const isShared = (piece: Piece | undefined): boolean =>
  piece?.by.every((marked) => marked) ?? false;

/** Disputed pieces lie side by side where several coders differ; what matters is where they end. */
function kindOf(pieces: readonly Piece[], place: number): "edge" | "missed" {
  let [first, last] = [place, place];
  while (isDisputedAt(pieces, first - 1)) first--;
  while (isDisputedAt(pieces, last + 1)) last++;
  return isShared(pieces[first - 1]) || isShared(pieces[last + 1]) ? "edge" : "missed";
}

const isDisputedAt = (pieces: readonly Piece[], place: number): boolean => {
  const piece = pieces[place];
  return piece !== undefined && isDisputed(piece);
};
