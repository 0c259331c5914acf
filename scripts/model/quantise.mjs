/**
 * Quantizes floats to integers from -127 to 127, with one scale per group: the largest absolute value
 * of a group becomes 127. All arithmetic is in single precision, and halves are rounded away from
 * zero, so the output is reproducible. The rounding matters: groups that were stored as bytes have
 * many halves, and rounding them differently changes the vectors.
 */

/** One group per row, for a lookup table. */
export const byRow = (reals, rows, columns) =>
  quantised(reals, rows, (at) => Math.floor(at / columns));

/** One group per column, for a matrix product, where each column gives one result. */
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
