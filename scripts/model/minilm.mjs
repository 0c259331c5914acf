import { kinds, modelFile, node, tensor, value } from "./onnx.mjs";
import { byColumn, byRow } from "./quantise.mjs";

const layers = 6;
const heads = 12;
const width = 384;
const innerWidth = 1536;
const vocabularySize = 30_522;
const positions = 512;
const epsilon = { float: 1e-12 };

/** The prefix of the layers' weight names. The tables have the names used below. */
const bert = "StatefulPartitionedCall/model/tf_bert_model/bert";

/**
 * The network as an ONNX file: six layers of attention over the tokens of a text. The 36 weight
 * matrices and the token table, which are nearly all of its size, are quantized to integers.
 */
export function minilmFile(weightsOf) {
  const nodes = [];
  const tensors = [];

  const addTensor = (name, kind, shape, values) => {
    tensors.push(tensor(name, kind, shape, values));
    return name;
  };
  const addFloats = (name, shape, source) =>
    addTensor(name, kinds.float, shape, weightsOf(source, shape));
  const standard = (operator, inputs, output, attributes) => {
    nodes.push(node(operator, inputs, output, { attributes }));
    return output;
  };
  const contributed = (operator, inputs, output, attributes) => {
    nodes.push(node(operator, inputs, output, { attributes, isContributed: true }));
    return output;
  };

  /** The sum of the token, position and segment embeddings. */
  function embedded() {
    const table = weightsOf("unknown", [vocabularySize, width]);
    const { integers, steps } = byRow(table, vocabularySize, width);
    addTensor("words", kinds.int8, [vocabularySize, width], integers);
    addTensor("words.steps", kinds.float, [vocabularySize, 1], steps);
    addFloats("positions", [positions, width], "unknown_0");
    addFloats("parts", [2, width], "unknown_1");
    const constants = { "number.0": 0, "number.1": 1 };
    for (const [name, constant] of Object.entries(constants)) {
      addTensor(name, kinds.int64, [], new BigInt64Array([BigInt(constant)]));
    }
    standard("Gather", ["words", "input_ids"], "word.whole");
    standard("Cast", ["word.whole"], "word.real", { to: kinds.float });
    standard("Gather", ["words.steps", "input_ids"], "word.step");
    standard("Mul", ["word.real", "word.step"], "word");
    standard("Shape", ["input_ids"], "shape");
    standard("Gather", ["shape", "number.1"], "length");
    standard("Range", ["number.0", "length", "number.1"], "place");
    standard("Gather", ["positions", "place"], "position");
    standard("Gather", ["parts", "token_type_ids"], "part");
    standard("Add", ["word", "part"], "word.part");
    standard("Add", ["word.part", "position"], "sum");
    const norm = normWeights("norm", `${bert}/embeddings/LayerNorm`);
    return standard("LayerNormalization", ["sum", ...norm], "embedded", { epsilon });
  }

  const normWeights = (name, source) => [
    addFloats(`${name}.scale`, [width], `${source}/batchnorm/mul/ReadVariableOp`),
    addFloats(`${name}.shift`, [width], `${source}/batchnorm/ReadVariableOp`),
  ];

  function linear(input, name, source, from, to) {
    const matrix = weightsOf(`${source}/Tensordot/ReadVariableOp`, [from, to]);
    const { integers, steps } = byColumn(matrix, to);
    addTensor(`${name}.whole`, kinds.int8, [from, to], integers);
    addTensor(`${name}.steps`, kinds.float, [to], steps);
    addFloats(`${name}.shift`, [to], `${source}/BiasAdd/ReadVariableOp`);
    const inputs = [input, `${name}.whole`, `${name}.steps`, "", `${name}.shift`];
    return contributed("DynamicQuantizeMatMul", inputs, name);
  }

  function layer(input, number, output) {
    const name = (part) => `layer.${number}.${part}`;
    const source = `${bert}/encoder/layer_._${number}`;
    const [query, key, content] = ["query", "key", "value"].map((part) =>
      linear(input, name(part), `${source}/attention/self/${part}`, width, width),
    );
    const attention = contributed(
      "MultiHeadAttention",
      [query, key, content, "", "mask"],
      name("looked"),
      { num_heads: heads },
    );
    const mixed = linear(
      attention,
      name("mixed"),
      `${source}/attention/output/dense`,
      width,
      width,
    );
    const attended = contributed(
      "SkipLayerNormalization",
      [mixed, input, ...normWeights(name("norm"), `${source}/attention/output/LayerNorm`)],
      name("attended"),
      { epsilon },
    );
    const expanded = linear(
      attended,
      name("up"),
      `${source}/intermediate/dense`,
      width,
      innerWidth,
    );
    const activation = contributed("Gelu", [expanded], name("bent"));
    const reduced = linear(activation, name("down"), `${source}/output/dense`, innerWidth, width);
    return contributed(
      "SkipLayerNormalization",
      [reduced, attended, ...normWeights(name("norm.out"), `${source}/output/LayerNorm`)],
      output,
      { epsilon },
    );
  }

  let state = embedded();
  standard("Cast", ["attention_mask"], "mask", { to: kinds.int32 });
  for (let number = 0; number < layers; number++) {
    const isLast = number === layers - 1;
    state = layer(state, number, isLast ? "last_hidden_state" : `layer.${number}`);
  }
  const texts = ["texts", "tokens"];
  return modelFile({
    producer: "lectern",
    name: "all-MiniLM-L6-v2",
    nodes,
    tensors,
    inputs: ["input_ids", "attention_mask", "token_type_ids"].map((name) =>
      value(name, kinds.int64, texts),
    ),
    outputs: [value("last_hidden_state", kinds.float, [...texts, width])],
  });
}
