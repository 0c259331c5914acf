/**
 * Quantizes floats to integers from -127 to 127, with one scale per group: the largest absolute value
 * of a group becomes 127. All arithmetic is in single precision, and halves are rounded away from
 * zero, so the output is reproducible. The rounding matters: groups that were stored as bytes have
 * many halves, and rounding them differently changes the vectors.
 */

/** One group per row, for a lookup table. */
export const byRow = (values, rows, columns) =>
  quantised(values, rows, (index) => Math.floor(index / columns));

/** One group per column, for a matrix product, where each column gives one result. */
export const byColumn = (values, columns) => quantised(values, columns, (index) => index % columns);

function quantised(values, groups, groupOf) {
  const steps = new Float32Array(groups);
  for (let index = 0; index < values.length; index++) {
    const group = groupOf(index);
    steps[group] = Math.max(steps[group], Math.abs(values[index]));
  }
  for (let group = 0; group < groups; group++) steps[group] = steps[group] / 127 || 1;
  const integers = new Int8Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const scaled = Math.fround(values[index] / steps[groupOf(index)]);
    integers[index] = Math.sign(scaled) * Math.min(127, Math.round(Math.abs(scaled)));
  }
  return { integers, steps };
}
