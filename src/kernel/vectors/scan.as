/**
 * The products of one query with many rows, in AssemblyScript: it looks like TypeScript and
 * becomes WebAssembly (`scan-code.ts`). Rows are signed bytes, the query has two bytes for each of
 * theirs, and `width` is a multiple of sixteen. A row is read from end to end, because what this
 * takes is the time in which the memory brings the rows.
 *
 * ```
 * query  q0 q1 q2 q3 q4 q5 q6 q7 | …      eight of two bytes
 * row    r0 r1 r2 r3 r4 r5 r6 r7 | …      eight of one byte, widened while they are read
 *        └─+─┘ └─+─┘ └─+─┘ └─+─┘          four sums of four bytes, for each half of sixteen
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
