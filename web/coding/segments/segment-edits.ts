import { signal } from "@preact/signals";
import { call, type Input } from "../../server/client.ts";
import {
  clearSelection,
  nothingSelected,
  removeSegment,
  runAndReport,
  statusMessage,
} from "../coding-actions.ts";
import {
  codeOf,
  type OpenedSource,
  openedSource,
  refreshSegments,
  type Segment,
} from "../project-state.ts";
import type { Span } from "../text/overlap-runs.ts";
import { selected, selectedPassage } from "../text/selection.ts";
import { moveSelection, type SelectionMove, segmentWords } from "../text/word-selection.ts";
import { openSegments } from "./segment-window-state.ts";

/**
 * The coding whose boundary is being moved. It keeps the focus while the text re-renders, until
 * another key or a pointer is pressed.
 */
export const movedSegmentId = signal<number | undefined>(undefined);

const codeNameOf = ({ code_id }: Segment): string => codeOf(code_id)?.name ?? "a code";

/** Saves the memo or the importance of a coding. */
export const saveSegmentNote = (
  segment: Segment,
  change: Pick<Input<"change_coding">, "memo" | "importance">,
): Promise<boolean> =>
  runAndReport(async () => {
    await call("change_coding", { segment_id: segment.id, ...change });
    return `Saved for ${codeNameOf(segment)}.`;
  });

/** Boundaries that are not on the page yet. The next key starts from them. */
const pendingMoves = new Map<number, Span>();
/** Serializes the moves. */
let lastMove: Promise<unknown> = Promise.resolve();

/**
 * Moves a boundary of a coding by a word. Moves are saved in order, even if keys are pressed
 * quickly.
 */
export async function moveBorder(segment: Segment, move: SelectionMove): Promise<void> {
  const source = openedSource.value;
  if (!source) return;
  const before = pendingMoves.get(segment.id) ?? utf16Range(source, segment);
  const next = moveSelection(segmentWords(source.content), before, move) ?? before;
  if (next.start === before.start && next.end === before.end) {
    statusMessage.value = "No word to move to.";
    return;
  }
  pendingMoves.set(segment.id, next);
  lastMove = lastMove.then(() => saveBorders(source, segment, next));
  await lastMove;
  if (pendingMoves.get(segment.id) !== next) return;
  await refreshSegments();
  if (pendingMoves.get(segment.id) === next) pendingMoves.delete(segment.id);
}

function saveBorders({ offsets }: OpenedSource, segment: Segment, { start, end }: Span) {
  movedSegmentId.value = segment.id;
  return runAndReport(async () => {
    const { selected_text } = await call("change_coding", {
      segment_id: segment.id,
      start_position: offsets.codePointAt(start),
      end_position: offsets.codePointAt(end),
    });
    return `${codeNameOf(segment)}: “${truncateQuote(selected_text)}”`;
  });
}

/** Erases the selection from the coding there. If there are several, the user chooses one. */
export async function eraseSelection(): Promise<void> {
  const source = openedSource.value;
  const selection = selected.value;
  if (!source || !selection) {
    statusMessage.value = nothingSelected;
    return;
  }
  const overlapping = source.segments.filter((segment) => {
    const { start, end } = utf16Range(source, segment);
    return start < selection.end && selection.start < end;
  });
  const [first, ...others] = overlapping;
  if (!first) statusMessage.value = "The selection has no coding.";
  else if (others.length > 0) openSegments(overlapping.map(({ id }) => id));
  else await eraseSelectionFrom(first);
}

/** Erases the selection from one coding. */
export async function eraseSelectionFrom(segment: Segment): Promise<void> {
  const passage = openedSource.value && selectedPassage(openedSource.value);
  if (!passage) return;
  const { start_position, end_position } = passage;
  const isWhole = start_position <= segment.start_position && segment.end_position <= end_position;
  const isDone = isWhole
    ? await removeSegment(segment)
    : await runAndReport(async () => {
        await call("erase_coding", { segment_id: segment.id, start_position, end_position });
        return `Erased part of ${codeNameOf(segment)}.`;
      });
  if (isDone) clearSelection();
}

export const utf16Range = (
  { offsets }: Pick<OpenedSource, "offsets">,
  { start_position, end_position }: Pick<Segment, "start_position" | "end_position">,
) => ({
  start: offsets.unitAt(Math.min(start_position, offsets.length)),
  end: offsets.unitAt(Math.min(end_position, offsets.length)),
});

const truncateQuote = (quote: string): string =>
  quote.length > 80 ? `${quote.slice(0, 40)} … ${quote.slice(-40)}` : quote;
