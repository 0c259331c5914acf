import { block, type Rows } from "./rows.ts";

/** For machines whose WebAssembly has no vector instructions. */
export function plainRows(width: number): Rows {
  let bytes = new Int8Array(0);
  const out = new Int32Array(block);

  return {
    reserve(count) {
      if (count * width <= bytes.length) return;
      const larger = new Int8Array(Math.ceil(count * 1.25) * width);
      larger.set(bytes);
      bytes = larger;
    },
    write: (place, row) => bytes.set(row, place * width),
    move: (from, to) => bytes.copyWithin(to * width, from * width, (from + 1) * width),
    products(query, first, count) {
      let at = first * width;
      for (let place = 0; place < count; place++) {
        let sum = 0;
        for (let index = 0; index < width; index++) {
          sum += (query[index] ?? 0) * (bytes[at++] ?? 0);
        }
        out[place] = sum;
      }
      return out;
    },
  };
}
