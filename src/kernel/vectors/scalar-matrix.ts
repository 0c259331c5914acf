import { type ByteMatrix, blockSize } from "./byte-matrix.ts";

/** For machines whose WebAssembly has no SIMD instructions. */
export function createScalarMatrix(width: number): ByteMatrix {
  let bytes = new Int8Array(0);
  const out = new Int32Array(blockSize);

  return {
    reserve(count) {
      if (count * width <= bytes.length) return;
      const larger = new Int8Array(Math.ceil(count * 1.25) * width);
      larger.set(bytes);
      bytes = larger;
    },
    write: (row, values) => bytes.set(values, row * width),
    move: (from, to) => bytes.copyWithin(to * width, from * width, (from + 1) * width),
    dotProducts(query, first, count) {
      const end = (first + count) * width;
      if (query.length !== width || end > bytes.length)
        throw new RangeError(
          `The query or the rows ${first}..${first + count - 1} are outside the matrix.`,
        );
      // This check covers all indexes below: a check per access costs a fifth of the time.
      let at = first * width;
      for (let row = 0; row < count; row++) {
        let sum = 0;
        for (let index = 0; index < width; index++) {
          sum += (query[index] as number) * (bytes[at++] as number);
        }
        out[row] = sum;
      }
      return out;
    },
  };
}
