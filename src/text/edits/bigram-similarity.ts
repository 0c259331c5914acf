import { elementAt } from "../arrays/element-at.ts";

/**
 * The similarity of two texts from 0 to 1: the Sørensen–Dice coefficient of their character
 * bigrams. Moving words lowers it slightly, replacing words lowers it strongly.
 */
export function bigramSimilarity(left: string, right: string): number {
  if (left === right) return 1;
  const [leftBigrams, rightBigrams] = [countBigrams(left), countBigrams(right)];
  const total = leftBigrams.total + rightBigrams.total;
  if (total === 0) return 0;
  let shared = 0;
  for (const [bigram, count] of rightBigrams.counts) {
    shared += Math.min(count, leftBigrams.counts.get(bigram) ?? 0);
  }
  return (2 * shared) / total;
}

/**
 * Compares the text at an index with every later one; the result is indexed like `texts`. An
 * inverted index from bigrams to texts avoids comparing texts that share none.
 */
export function pairwiseBigramSimilarity(
  texts: readonly string[],
): (index: number) => Float64Array {
  const bigramsOfTexts = texts.map(countBigrams);
  const postings = new Map<string, { index: number; count: number }[]>();
  for (const [index, { counts }] of bigramsOfTexts.entries()) {
    for (const [bigram, count] of counts) {
      const posting = postings.get(bigram) ?? [];
      postings.set(bigram, posting);
      posting.push({ index, count });
    }
  }
  return (index) => {
    const { counts, total } = elementAt(bigramsOfTexts, index);
    const sharedWith = new Float64Array(texts.length);
    for (const [bigram, count] of counts) {
      const posting = postings.get(bigram) ?? [];
      for (let at = posting.length - 1; at >= 0; at--) {
        const later = elementAt(posting, at);
        if (later.index <= index) break;
        sharedWith[later.index] = elementAt(sharedWith, later.index) + Math.min(count, later.count);
      }
    }
    return sharedWith.map((shared, later) => {
      if (later <= index) return 0;
      if (texts[later] === texts[index]) return 1;
      return (2 * shared) / (total + elementAt(bigramsOfTexts, later).total || 1);
    });
  };
}

/** The bigrams of a text by UTF-16 units, with their counts. */
function countBigrams(text: string): { counts: Map<string, number>; total: number } {
  const counts = new Map<string, number>();
  for (let start = 0; start + 1 < text.length; start++) {
    const bigram = text.slice(start, start + 2);
    counts.set(bigram, (counts.get(bigram) ?? 0) + 1);
  }
  return { counts, total: Math.max(text.length - 1, 0) };
}
