import { float32At, float64At } from "../../../text/arrays/typed-element-at.ts";
import { nextOf, type TermScorer, windowSize } from "./term-scorer.ts";

/** Passages with their scores, as columns of equal length. */
export interface ScoredPassages {
  passages: Float64Array;
  scores: Float32Array;
}

/** The best `count` passages, best first; equal scores by passage number. */
export function topPassages(scorers: readonly TermScorer[], count: number): ScoredPassages {
  const best = createBest(count);
  for (const { first, sums } of scoreWindows(scorers)) best.addWindow(sums, first);
  return best.sorted();
}

/** All passages that contain one of the terms, in ascending order. */
export function allPassages(scorers: readonly TermScorer[], mostPassages: number): ScoredPassages {
  const passages = new Float64Array(mostPassages);
  const scores = new Float32Array(mostPassages);
  let count = 0;
  for (const { first, sums } of scoreWindows(scorers)) {
    for (let slot = 0; slot < windowSize; slot++) {
      const score = float32At(sums, slot);
      if (score === 0) continue;
      passages[count] = first + slot;
      scores[count++] = score;
    }
  }
  return { passages: passages.subarray(0, count), scores: scores.subarray(0, count) };
}

/** The scores of the passages of each window that has one of the terms; 0 where there is none. */
function* scoreWindows(
  scorers: readonly TermScorer[],
): Generator<{ first: number; sums: Float32Array }> {
  const sums = new Float32Array(windowSize);
  for (let first = nextOf(scorers); first < Number.POSITIVE_INFINITY; first = nextOf(scorers)) {
    for (const scorer of scorers) scorer.add(sums, first);
    yield { first, sums };
    sums.fill(0);
  }
}

/** The best passages so far, in a binary heap with the worst of them at its root. */
interface Best {
  addWindow(sums: Float32Array, first: number): void;
  sorted(): ScoredPassages;
}

function createBest(capacity: number): Best {
  const passages = new Float64Array(capacity);
  const scores = new Float32Array(capacity);
  let size = 0;

  return {
    addWindow(sums, first) {
      // A passage needs a higher score, because those with equal scores came before.
      let lowest = size < capacity ? 0 : float32At(scores, 0);
      for (let slot = 0; slot < windowSize; slot++) {
        const score = float32At(sums, slot);
        if (score <= lowest) continue;
        add(first + slot, score);
        lowest = size < capacity ? 0 : float32At(scores, 0);
      }
    },
    sorted() {
      const order = Array.from({ length: size }, (_, at) => at).sort(
        (a, b) =>
          float32At(scores, b) - float32At(scores, a) ||
          float64At(passages, a) - float64At(passages, b),
      );
      return {
        passages: Float64Array.from(order, (at) => float64At(passages, at)),
        scores: Float32Array.from(order, (at) => float32At(scores, at)),
      };
    },
  };

  function add(passage: number, score: number): void {
    if (size < capacity) siftUp(passage, score);
    else siftDown(passage, score);
  }

  function siftUp(passage: number, score: number): void {
    let at = size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(passage, score, parent)) break;
      move(parent, at);
      at = parent;
    }
    passages[at] = passage;
    scores[at] = score;
  }

  /** Replaces the worst. */
  function siftDown(passage: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const sibling = child + 1;
      if (
        sibling < size &&
        isWorse(float64At(passages, sibling), float32At(scores, sibling), child)
      ) {
        child = sibling;
      }
      if (isWorse(passage, score, child)) break;
      move(child, at);
      at = child;
    }
    passages[at] = passage;
    scores[at] = score;
  }

  function move(from: number, to: number): void {
    passages[to] = float64At(passages, from);
    scores[to] = float32At(scores, from);
  }

  /** Whether a passage comes after the one at a place of the heap. */
  function isWorse(passage: number, score: number, at: number): boolean {
    const other = float32At(scores, at);
    return score < other || (score === other && passage > float64At(passages, at));
  }
}
