import { elementAt } from "../../../text/arrays/element-at.ts";
import { float32At, uint32At } from "../../../text/arrays/typed-element-at.ts";

/** Most callers need only a few results, and sorting all matches of a frequent word is slow. */
const firstBatchSize = 200;
const binCount = 512;

/** In a large array, a sample of the values is enough to estimate the threshold. */
const maxSampleSize = 16_384;

/**
 * The indexes of all values above 0, highest value first; equal values by index. A histogram finds
 * a threshold above which there are enough for a first batch, so that only these are sorted first.
 */
export function* indexesByValueDescending(values: Float32Array): Generator<number> {
  for (let from = Number.POSITIVE_INFINITY, size = firstBatchSize; from > 0; size *= 16) {
    const threshold = estimateThreshold(values, size);
    if (threshold >= from) continue;
    yield* indexesBetween(values, threshold, from);
    from = threshold;
  }
}

/** A value that about `count` values reach; 0 if there are too few. */
function estimateThreshold(values: Float32Array, count: number): number {
  const step = Math.ceil(values.length / maxSampleSize);
  const histogram = new Uint32Array(binCount + 1);
  for (let at = 0; at < values.length; at += step) {
    const value = float32At(values, at);
    if (value === 0) continue;
    const bin = binOf(value);
    histogram[bin] = uint32At(histogram, bin) + 1;
  }
  let bin = binCount;
  for (let size = uint32At(histogram, bin); bin > 0 && size * step < count; ) {
    size += uint32At(histogram, --bin);
  }
  return bin / binCount;
}

/** The indexes of the values from `low` to below `high`, without those of 0, sorted. */
function indexesBetween(values: Float32Array, low: number, high: number): number[] {
  const indexes: number[] = [];
  for (let at = 0; at < values.length; at++) {
    const value = float32At(values, at);
    if (value >= low && value < high && value > 0) indexes.push(at);
  }
  return indexes.sort((a, b) => float32At(values, b) - float32At(values, a) || a - b);
}

const binOf = (value: number): number => Math.min(Math.floor(value * binCount), binCount);

/** Items that can be read again and again, although their source is read once. */
export function replayable<Item>(source: Iterator<Item>): () => Generator<Item> {
  const items: Item[] = [];
  return function* replay() {
    for (let index = 0; ; index++) {
      if (index === items.length) {
        const next = source.next();
        if (next.done) return;
        items.push(next.value);
      }
      yield elementAt(items, index);
    }
  };
}
