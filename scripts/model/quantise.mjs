/**
 * Reals as whole numbers from -127 to 127, with one step for each group of them: the largest of a
 * group becomes 127. It is all done in single precision, and a half is rounded away from zero on
 * both sides, so every machine comes to the same bytes. How a half is rounded is no trifle: in a
 * group whose reals came from bytes there are many, and the vectors move with them.
 */

/** A group for each row: for a table, of which single rows are looked up. */
export const byRow = (reals, rows, columns) =>
  quantised(reals, rows, (at) => Math.floor(at / columns));

/** A group for each column: for a product with a matrix, where a column makes one result. */
export const byColumn = (reals, columns) => quantised(reals, columns, (at) => at % columns);

function quantised(reals, groups, groupOf) {
  const steps = new Float32Array(groups);
  for (let at = 0; at < reals.length; at++) {
    const group = groupOf(at);
    steps[group] = Math.max(steps[group], Math.abs(reals[at]));
  }
  for (let group = 0; group < groups; group++) steps[group] = steps[group] / 127 || 1;
  const whole = new Int8Array(reals.length);
  for (let at = 0; at < reals.length; at++) {
    const real = Math.fround(reals[at] / steps[groupOf(at)]);
    whole[at] = Math.sign(real) * Math.min(127, Math.round(Math.abs(real)));
  }
  return { whole, steps };
}
