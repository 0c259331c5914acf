/**
 * The dot products of one query with many rows. This is AssemblyScript, a TypeScript-like language
 * that compiles to WebAssembly (`scan-code.ts`). Rows are int8, the query is int16, and `width` is a
 * multiple of 16. The loop reads memory sequentially, because it is limited by memory bandwidth.
 *
 * ```
 * query  q0 q1 q2 q3 q4 q5 q6 q7 | …      eight int16
 * row    r0 r1 r2 r3 r4 r5 r6 r7 | …      eight int8, widened to int16 on load
 *        └─+─┘ └─+─┘ └─+─┘ └─+─┘          four int32 sums, for each half of 16 elements
 * ```
 */
export function scan(query: usize, row: usize, width: usize, count: usize, out: usize): void {
  for (const end = out + (count << 2); out < end; out += 4) {
    let even = i32x4.splat(0);
    let odd = i32x4.splat(0);
    const rowEnd = row + width;
    for (let part = query; row < rowEnd; row += 16, part += 32) {
      even = i32x4.add(even, i32x4.dot_i16x8_s(v128.load(part), v128.load_ext<i8>(row)));
      odd = i32x4.add(odd, i32x4.dot_i16x8_s(v128.load(part, 16), v128.load_ext<i8>(row, 8)));
    }
    const sums = i32x4.add(even, odd);
    const left = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
    store<i32>(out, left + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3));
  }
}
