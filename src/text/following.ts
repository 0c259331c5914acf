import type { Edit } from "./edits.ts";
import { likeness } from "./likeness.ts";
import { exactPlaces, type Place, placesOf } from "./quotes.ts";

/**
 * What becomes of a passage when its text is edited.
 *
 * - `kept`: nobody touched it; it stands as it was, perhaps further up or down.
 * - `moved`: it was taken out, and stands word for word in what was put in.
 * - `changed`: words inside it are others, and both its ends stayed. Of a guess this is not said.
 * - `lost`: nobody can be sure. There may be a place that is likely.
 */
export type Fate =
  | { fate: "kept" | "moved" | "changed"; place: Place; score: number }
  | { fate: "lost"; place?: Place; score: number };

/** As far as this a passage is known by what stands before and behind it. */
const contextLength = 32;

/** So many equal letters beside a place are no accident. */
const edgeLength = 8;

/** So many are none where all that stands together there stands nowhere else. */
const smallEdge = 3;

/** By so much better than the next a place must be known to be taken. */
const clearLead = 0.1;

/** A passage of so many letters says almost by itself that it is the one. */
const tellingLength = 24;

/** A short passage that was carried off is known by almost all that stood around it. */
const allAround = 0.9;

/** A passage is not looked for in one that is so many times as long. */
const mostTimes = 20;

/** Words that stand oftener than this say nothing. */
const mostPlaces = 2_000;

/** Less alike than this, a changed passage is not the same one any more. */
const stillAlike = 0.5;

/**
 * Follows passages of a text through edits. Where the edits are only guessed from two texts, a
 * passage has to be known by its surroundings too before it counts as found.
 */
export function followPassages(
  before: string,
  after: string,
  edits: readonly Edit[],
  { isGuess }: { isGuess: boolean },
): (passage: Place) => Fate {
  const blocks = keptBlocks(before, edits);
  const isOldText = ({ start, end }: Place): boolean =>
    blocks.some((block) => block.start + block.shift <= start && end <= block.end + block.shift);
  return (passage) => {
    const quote = before.slice(passage.start, passage.end);
    if (quote === "") return { fate: "lost", score: 0 };
    const home = blocks.find(({ start, end }) => start <= passage.start && passage.end <= end);
    if (home && !isGuess) return { fate: "kept", place: shifted(passage, home.shift), score: 1 };
    const { areKept, ...inside } = endsOf(passage, blocks);
    const isSame = areKept && after.slice(inside.start, inside.end) === quote;
    if (isSame && (!isGuess || isCertain(passage, inside))) {
      return { fate: "kept", place: inside, score: 1 };
    }
    const alike = alikeIn(quote, inside);
    if (!isGuess && areKept && alike >= stillAlike) {
      return { fate: "changed", place: inside, score: alike };
    }
    return elsewhere(passage, quote) ?? likely(quote, inside, alike);
  };

  /**
   * How much of what stands around a passage stands around a place, from 0 to 1. A place is known by
   * it where enough of both sides is there; a long passage needs one side only. It is unlike all
   * others where a little of both sides is there, and all of it together is nowhere else.
   */
  function surroundingsOf(passage: Place, place: Place) {
    const left = sharedBackwards(before, passage.start, after, place.start);
    const right = sharedForwards(before, passage.end, after, place.end);
    const has = (edge: number) => ({ isLeft: left >= edge, isRight: right >= edge });
    const { isLeft, isRight } = has(edgeLength);
    const isLong = passage.end - passage.start >= tellingLength;
    const isKnown = isLong ? isLeft || isRight : isLeft && isRight;
    const window = before.slice(Math.max(passage.start - left, 0), passage.end + right);
    const isAlone = () => window.length >= tellingLength && [before, after].every(hasOnce(window));
    return {
      share: (left + right) / (2 * contextLength),
      isLong,
      isKnown,
      isUnlike: () => has(smallEdge).isLeft && has(smallEdge).isRight && isAlone(),
    };
  }

  function alikeIn(quote: string, place: Place): number {
    return isComparable(quote, place) ? likeness(quote, after.slice(place.start, place.end)) : 0;
  }

  /** In a guess, the place to expect still has to be known. */
  function isCertain(passage: Place, place: Place): boolean {
    const { isKnown, isUnlike } = surroundingsOf(passage, place);
    return isKnown || isUnlike();
  }

  /** In text that was put in, where that is certain: kept text was somebody else's before. */
  function elsewhere(passage: Place, quote: string): Fate | undefined {
    const [best, second] = exactPlaces(after, quote, mostPlaces)
      .filter((place) => isGuess || !isOldText(place))
      .map((place) => ({ place, ...surroundingsOf(passage, place) }))
      .sort((one, other) => other.share - one.share);
    if (!best) return undefined;
    const { place, share } = best;
    const isAlone = !second || share >= second.share + clearLead;
    // A whole sentence may be carried off alone: nothing around it is the same, yet there is no other.
    const isPlain = best.isLong && [before, after].every(hasOnce(quote));
    const isShortKnown = share >= allAround && best.isUnlike();
    const isSure = isAlone && (isPlain || (best.isKnown && (best.isLong || isShortKnown)));
    if (isSure) return { fate: "moved", place, score: Math.max(share, stillAlike) };
    return { fate: "lost", place, score: Math.min(0.9, 0.3 + share / 2) };
  }

  function likely(quote: string, place: Place, score: number): Fate {
    if (place.start < place.end && isComparable(quote, place))
      return { fate: "lost", place, score };
    const [loose, ...others] = placesOf(after, quote, 2);
    return loose && others.length === 0
      ? { fate: "lost", place: loose, score: stillAlike }
      : { fate: "lost", score: 0 };
  }
}

/** Text that stayed, by its place before; `shift` leads to its place after. */
interface Block extends Place {
  shift: number;
}

function keptBlocks(before: string, edits: readonly Edit[]): Block[] {
  const blocks: Block[] = [];
  let [done, shift] = [0, 0];
  for (const { start, end, text } of edits) {
    blocks.push({ start: done, end: start, shift });
    shift += text.length - (end - start);
    done = end;
  }
  blocks.push({ start: done, end: before.length, shift });
  return blocks;
}

const shifted = ({ start, end }: Place, shift: number): Place => ({
  start: start + shift,
  end: end + shift,
});

/**
 * Where both ends of a passage have come to. They are kept where the letter inside of each is; what
 * was taken out at an end leaves it where the kept text next to it begins.
 *
 *     before   the [old house] stood
 *     after    the [old red house] stood      both ends kept
 *     after    the [new] house stood          the start was taken out
 */
function endsOf({ start, end }: Place, blocks: readonly Block[]) {
  const first = blocks.find((block) => block.start <= start && start < block.end);
  const last = blocks.find((block) => block.start < end && end <= block.end);
  const below = blocks.findLast((block) => block.end <= start) ?? blocks[0];
  const above = blocks.find((block) => block.start >= end) ?? blocks.at(-1);
  return {
    start: first ? start + first.shift : (below?.end ?? 0) + (below?.shift ?? 0),
    end: last ? end + last.shift : (above?.start ?? 0) + (above?.shift ?? 0),
    areKept: first !== undefined && last !== undefined,
  };
}

/** So many letters before two places are the same; all that count, where both texts begin there. */
function sharedBackwards(one: string, oneEnd: number, other: string, otherEnd: number): number {
  let count = 0;
  while (
    count < Math.min(contextLength, oneEnd, otherEnd) &&
    one[oneEnd - 1 - count] === other[otherEnd - 1 - count]
  ) {
    count++;
  }
  return count === oneEnd && count === otherEnd ? contextLength : count;
}

/** The same for the letters behind, where both texts may end. */
function sharedForwards(one: string, oneStart: number, other: string, otherStart: number): number {
  const [left, otherLeft] = [one.length - oneStart, other.length - otherStart];
  let count = 0;
  while (
    count < Math.min(contextLength, left, otherLeft) &&
    one[oneStart + count] === other[otherStart + count]
  ) {
    count++;
  }
  return count === left && count === otherLeft ? contextLength : count;
}

const hasOnce =
  (words: string) =>
  (text: string): boolean => {
    const first = text.indexOf(words);
    return first >= 0 && text.indexOf(words, first + 1) < 0;
  };

/** Nothing is alike that is many times as long, and looking would take long too. */
const isComparable = (quote: string, { start, end }: Place): boolean =>
  end - start <= mostTimes * (quote.length + contextLength);
