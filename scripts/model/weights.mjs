/**
 * Reads the weights of a TensorFlow.js model: a binary file and a manifest of its tensors. Most are
 * quantized to one byte each, with a scale and a minimum. They are dequantized in single precision.
 */
export function readWeights(model, content) {
  const weightsByName = new Map();
  let offset = 0;
  for (const weight of model.weightsManifest.flatMap((group) => group.weights)) {
    const count = weight.shape.reduce((product, size) => product * size, 1);
    weightsByName.set(weight.name, { ...weight, offset, count });
    offset += count * (weight.quantization ? 1 : 4);
  }
  if (offset !== content.length)
    throw new Error("The length of the weights differs from the manifest.");

  return function weightsOf(name, shape) {
    const found = weightsByName.get(name);
    if (!found) throw new Error(`The model has no weights ${name}.`);
    if (`${found.shape}` !== `${shape}`)
      throw new Error(`${name} is ${found.shape}, not ${shape}.`);
    if (found.quantization?.dtype !== "uint8") throw new Error(`${name} is not kept as bytes.`);
    const step = Math.fround(found.quantization.scale);
    const lowest = Math.fround(found.quantization.min);
    const values = new Float32Array(found.count);
    for (let index = 0; index < values.length; index++) {
      values[index] = Math.fround(content[found.offset + index] * step) + lowest;
    }
    return values;
  };
}
