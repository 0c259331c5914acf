import { effect, signal } from "@preact/signals";
import { call, type Input } from "../client.ts";
import { attempt, letGo, nothingSelected, remove, said } from "./applying.ts";
import { codeOf, type OpenedSource, opened, type Segment } from "./project.ts";
import type { Stretch } from "./runs.ts";
import { passageOf, selected } from "./selection.ts";
import { openStack } from "./stack-state.ts";
import { type Move, moved, wordsOf } from "./words.ts";

/**
 * The coding whose border is being moved: the focus stays with it however often the text is cut anew,
 * until another key is struck or somebody points elsewhere.
 */
export const held = signal<number | undefined>(undefined);

const nameOf = ({ code_id }: Segment): string => codeOf(code_id)?.name ?? "a code";

/** Keeps what was written about a coding. */
export const noteDown = (
  segment: Segment,
  change: Pick<Input<"change_coding">, "memo" | "importance">,
): Promise<boolean> =>
  attempt(async () => {
    await call("change_coding", { segment_id: segment.id, ...change });
    return `Kept for ${nameOf(segment)}.`;
  });

/** Where borders are being moved to, for keys that are struck before the page shows it. */
const underWay = new Map<number, Stretch>();
/** Those that are kept by now, and will be shown next. */
const kept = new Set<number>();
let last: Promise<boolean> = Promise.resolve(true);

effect(() => {
  void opened.value;
  for (const id of kept) underWay.delete(id);
  kept.clear();
});

/** Moves a border of a coding by a word; one after the other, however fast the keys are struck. */
export async function moveBorder(segment: Segment, move: Move): Promise<void> {
  const source = opened.value;
  if (!source) return;
  const before = underWay.get(segment.id) ?? unitsOf(source, segment);
  const next = moved(wordsOf(source.content), before, move) ?? before;
  if (next.start === before.start && next.end === before.end) {
    said.value = "There is no word to move to.";
    return;
  }
  underWay.set(segment.id, next);
  last = last.then(() => putBorders(source, segment, next));
  const isKept = await last;
  if (underWay.get(segment.id) !== next) return;
  if (isKept) kept.add(segment.id);
  else underWay.delete(segment.id);
}

function putBorders({ offsets }: OpenedSource, segment: Segment, { start, end }: Stretch) {
  held.value = segment.id;
  return attempt(async () => {
    const { selected_text } = await call("change_coding", {
      segment_id: segment.id,
      start_position: offsets.codePointAt(start),
      end_position: offsets.codePointAt(end),
    });
    return `${nameOf(segment)}: “${shortened(selected_text)}”`;
  });
}

/** Takes what is selected off the coding that lies there; of several, a person says which. */
export async function erase(): Promise<void> {
  const source = opened.value;
  const chosen = selected.value;
  if (!source || !chosen) {
    said.value = nothingSelected;
    return;
  }
  const here = source.segments.filter((segment) => {
    const { start, end } = unitsOf(source, segment);
    return start < chosen.end && chosen.start < end;
  });
  const [only, ...others] = here;
  if (!only) said.value = "Nothing is coded in these words.";
  else if (others.length > 0) openStack(here.map(({ id }) => id));
  else await eraseFrom(only);
}

/** Takes what is selected off one coding. */
export async function eraseFrom(segment: Segment): Promise<void> {
  const passage = opened.value && passageOf(opened.value);
  if (!passage) return;
  const { start_position, end_position } = passage;
  const isWhole = start_position <= segment.start_position && segment.end_position <= end_position;
  const isDone = isWhole
    ? await remove(segment)
    : await attempt(async () => {
        const place = { start_position, end_position };
        await call("erase_coding", { segment_id: segment.id, ...place });
        return `Erased a part of ${nameOf(segment)}.`;
      });
  if (isDone) letGo();
}

export const unitsOf = (
  { offsets }: Pick<OpenedSource, "offsets">,
  { start_position, end_position }: Pick<Segment, "start_position" | "end_position">,
) => ({
  start: offsets.unitAt(Math.min(start_position, offsets.length)),
  end: offsets.unitAt(Math.min(end_position, offsets.length)),
});

const shortened = (words: string): string =>
  words.length > 80 ? `${words.slice(0, 40)} … ${words.slice(-40)}` : words;
