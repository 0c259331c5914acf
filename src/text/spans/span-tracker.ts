import { elementAt } from "../arrays/element-at.ts";
import { bigramSimilarity } from "../edits/bigram-similarity.ts";
import type { TextEdit } from "../edits/edits.ts";
import { findExactQuote, findQuote, type TextSpan } from "./quote-search.ts";

/**
 * The fate of a passage when its text is edited.
 *
 * - `kept`: unchanged, possibly at another offset.
 * - `moved`: deleted, and found verbatim in inserted text.
 * - `changed`: edited inside, with both ends unchanged. Not reported for inferred edits.
 * - `lost`: not located with certainty. `place` is the most likely span, if any.
 */
export type SpanFate =
  | { fate: "kept" | "moved" | "changed"; place: TextSpan; score: number }
  | { fate: "lost"; place?: TextSpan; score: number };

/** The number of characters compared before and after a passage. */
const contextLength = 32;

/** This many equal characters next to a passage identify it on that side. */
const knownEdgeLength = 8;

/** This many are enough if the passage with its matching context is unique in both texts. */
const minEdgeLength = 3;

/** The best candidate must exceed the second best by this share of matching context. */
const minLead = 0.1;

/** A passage of this length is unlikely to match by accident. */
const distinctiveLength = 24;

/** A shorter moved passage is accepted only if this share of its context matches. */
const minContextShare = 0.9;

/** A candidate longer than this multiple of the passage is not compared. */
const maxLengthRatio = 20;

/** At most this many exact occurrences are considered. */
const maxOccurrences = 2_000;

/** Below this similarity, a changed passage counts as lost. */
const minSimilarity = 0.5;

/**
 * Tracks passages of a text through edits. If the edits were inferred from two versions
 * (`isGuess`), a passage must also match by its context.
 */
export function trackSpans(
  before: string,
  after: string,
  edits: readonly TextEdit[],
  { isGuess }: { isGuess: boolean },
): (passage: TextSpan) => SpanFate {
  const blocks = unchangedBlocks(before, edits);
  const isUnchangedText = ({ start, end }: TextSpan): boolean =>
    blocks.some((block) => block.start + block.shift <= start && end <= block.end + block.shift);
  return (passage) => {
    const quote = before.slice(passage.start, passage.end);
    if (quote === "") return { fate: "lost", score: 0 };
    const home = blocks.find(({ start, end }) => start <= passage.start && passage.end <= end);
    if (home && !isGuess) return { fate: "kept", place: shiftSpan(passage, home.shift), score: 1 };
    const { areKept, ...mapped } = mapEnds(passage, blocks);
    const isSame = areKept && after.slice(mapped.start, mapped.end) === quote;
    if (isSame && (!isGuess || isIdentifiedByContext(passage, mapped))) {
      return { fate: "kept", place: mapped, score: 1 };
    }
    const similarity = similarityAt(quote, mapped);
    if (!isGuess && areKept && similarity >= minSimilarity) {
      return { fate: "changed", place: mapped, score: similarity };
    }
    return findMovedSpan(passage, quote) ?? findLikelySpan(quote, mapped, similarity);
  };

  /**
   * Compares the context of a passage with that of a candidate span. `share` is the matching part,
   * from 0 to 1. `isKnown`: enough context matches on both sides, or on one side of a long passage.
   * `isUnique`: some context matches on both sides, and with it the passage occurs only once.
   */
  function compareContext(passage: TextSpan, candidate: TextSpan) {
    const left = commonSuffixLength(before, passage.start, after, candidate.start);
    const right = commonPrefixLength(before, passage.end, after, candidate.end);
    const isLong = passage.end - passage.start >= distinctiveLength;
    const isKnown = (isLong ? Math.max(left, right) : Math.min(left, right)) >= knownEdgeLength;
    const window = before.slice(Math.max(passage.start - left, 0), passage.end + right);
    return {
      share: (left + right) / (2 * contextLength),
      isLong,
      isKnown,
      isUnique: () =>
        Math.min(left, right) >= minEdgeLength &&
        window.length >= distinctiveLength &&
        [before, after].every(occursOnce(window)),
    };
  }

  function similarityAt(quote: string, candidate: TextSpan): number {
    return isComparable(quote, candidate)
      ? bigramSimilarity(quote, after.slice(candidate.start, candidate.end))
      : 0;
  }

  function isIdentifiedByContext(passage: TextSpan, candidate: TextSpan): boolean {
    const { isKnown, isUnique } = compareContext(passage, candidate);
    return isKnown || isUnique();
  }

  /** Unless the edits are inferred, only inserted text can contain a moved passage. */
  function findMovedSpan(passage: TextSpan, quote: string): SpanFate | undefined {
    const [best, second] = findExactQuote(after, quote, maxOccurrences)
      .filter((span) => isGuess || !isUnchangedText(span))
      .map((span) => ({ span, ...compareContext(passage, span) }))
      .sort((a, b) => b.share - a.share);
    if (!best) return undefined;
    const { span, share } = best;
    const hasLead = !second || share >= second.share + minLead;
    // A long passage may move without its context. It is identified if it occurs only once.
    const isUniqueQuote = best.isLong && [before, after].every(occursOnce(quote));
    const isShortKnown = share >= minContextShare && best.isUnique();
    const isCertain = hasLead && (isUniqueQuote || (best.isKnown && (best.isLong || isShortKnown)));
    if (isCertain) return { fate: "moved", place: span, score: Math.max(share, minSimilarity) };
    return { fate: "lost", place: span, score: Math.min(0.9, 0.3 + share / 2) };
  }

  function findLikelySpan(quote: string, mapped: TextSpan, score: number): SpanFate {
    if (mapped.start < mapped.end && isComparable(quote, mapped))
      return { fate: "lost", place: mapped, score };
    const [match, ...others] = findQuote(after, quote, 2);
    return match && others.length === 0
      ? { fate: "lost", place: match, score: minSimilarity }
      : { fate: "lost", score: 0 };
  }
}

/** A range of the old text that was not edited. Adding `shift` gives its range in the new text. */
interface UnchangedBlock extends TextSpan {
  shift: number;
}

function unchangedBlocks(before: string, edits: readonly TextEdit[]): UnchangedBlock[] {
  const blocks: UnchangedBlock[] = [];
  let [blockStart, shift] = [0, 0];
  for (const { start, end, text } of edits) {
    blocks.push({ start: blockStart, end: start, shift });
    shift += text.length - (end - start);
    blockStart = end;
  }
  blocks.push({ start: blockStart, end: before.length, shift });
  return blocks;
}

const shiftSpan = ({ start, end }: TextSpan, shift: number): TextSpan => ({
  start: start + shift,
  end: end + shift,
});

/**
 * Maps both ends of a passage to the new text. An end is kept if the character just inside it is
 * unchanged. A deleted end maps to the nearest unchanged text outside the passage.
 *
 *     before   the [old house] stood
 *     after    the [old red house] stood      both ends kept
 *     after    the [new house] stood          start deleted
 */
function mapEnds({ start, end }: TextSpan, blocks: readonly UnchangedBlock[]) {
  const first = blocks.find((block) => block.start <= start && start < block.end);
  const last = blocks.find((block) => block.start < end && end <= block.end);
  const previous = blocks.findLast((block) => block.end <= start) ?? elementAt(blocks, 0);
  const next = blocks.find((block) => block.start >= end) ?? elementAt(blocks, blocks.length - 1);
  return {
    start: first ? start + first.shift : previous.end + previous.shift,
    end: last ? end + last.shift : next.start + next.shift,
    areKept: first !== undefined && last !== undefined,
  };
}

/**
 * The number of equal characters before two offsets, at most `contextLength`. If everything up to
 * the start of both texts is equal, this counts as full context.
 */
function commonSuffixLength(a: string, aEnd: number, b: string, bEnd: number): number {
  const limit = Math.min(contextLength, aEnd, bEnd);
  let count = 0;
  while (count < limit && a[aEnd - 1 - count] === b[bEnd - 1 - count]) count++;
  return count === aEnd && count === bEnd ? contextLength : count;
}

/** The same for the characters after two offsets, up to the end of both texts. */
function commonPrefixLength(a: string, aStart: number, b: string, bStart: number): number {
  const [aRest, bRest] = [a.length - aStart, b.length - bStart];
  const limit = Math.min(contextLength, aRest, bRest);
  let count = 0;
  while (count < limit && a[aStart + count] === b[bStart + count]) count++;
  return count === aRest && count === bRest ? contextLength : count;
}

const occursOnce =
  (quote: string) =>
  (text: string): boolean => {
    const first = text.indexOf(quote);
    return first >= 0 && text.indexOf(quote, first + 1) < 0;
  };

/** Very different lengths exclude similarity, and comparing them would be slow. */
const isComparable = (quote: string, { start, end }: TextSpan): boolean =>
  end - start <= maxLengthRatio * (quote.length + contextLength);
