/**
 * Reads the weights of a TensorFlow.js model: one file of bytes, and a list of what lies in it.
 * Most are kept as a byte each, with the step and the lowest value that turn them back into reals,
 * in single precision as everything here.
 */
export function readWeights(model, content) {
  const places = new Map();
  let offset = 0;
  for (const weight of model.weightsManifest.flatMap((group) => group.weights)) {
    const count = weight.shape.reduce((product, size) => product * size, 1);
    places.set(weight.name, { ...weight, offset, count });
    offset += count * (weight.quantization ? 1 : 4);
  }
  if (offset !== content.length) throw new Error("The weights are not as long as their list says.");

  return function weightsOf(name, shape) {
    const found = places.get(name);
    if (!found) throw new Error(`The model has no weights ${name}.`);
    if (`${found.shape}` !== `${shape}`)
      throw new Error(`${name} is ${found.shape}, not ${shape}.`);
    if (found.quantization?.dtype !== "uint8") throw new Error(`${name} is not kept as bytes.`);
    const step = Math.fround(found.quantization.scale);
    const lowest = Math.fround(found.quantization.min);
    const reals = new Float32Array(found.count);
    for (let at = 0; at < reals.length; at++) {
      reals[at] = Math.fround(content[found.offset + at] * step) + lowest;
    }
    return reals;
  };
}
