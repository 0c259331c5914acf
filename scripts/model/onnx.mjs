/**
 * Writes an ONNX file without a library. The format is a few protobuf messages and needs two rules:
 * integers are varints, and everything else is prefixed with its length.
 */

/** The ONNX codes of tensor element types. */
export const kinds = { float: 1, int8: 3, int32: 6, int64: 7 };

/** A complete model: its graph, and the two operator sets that it uses. */
export function modelFile({ producer, name, nodes, tensors, inputs, outputs }) {
  const graph = [
    ...nodes.map((node) => message(1, node)),
    string(2, name),
    ...tensors.map((tensor) => message(5, tensor)),
    ...inputs.map((input) => message(11, input)),
    ...outputs.map((output) => message(12, output)),
  ];
  return Buffer.concat([
    number(1, 8),
    string(2, producer),
    message(7, graph),
    message(8, [string(1, ""), number(2, 17)]),
    message(8, [string(1, contributed), number(2, 1)]),
  ]);
}

/** The onnxruntime extension operators. */
const contributed = "com.microsoft";

/** An omitted optional input has an empty name. */
export function node(operator, inputs, output, { attributes = {}, isContributed = false } = {}) {
  return [
    ...inputs.map((input) => string(1, input)),
    string(2, output),
    string(3, output),
    string(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
    ...(isContributed ? [string(7, contributed)] : []),
  ];
}

/** An attribute is an integer, or `{ float }`. */
const attribute = (name, value) =>
  typeof value === "number"
    ? [string(1, name), number(3, value), number(20, 2)]
    : [string(1, name), single(2, value.float), number(20, 1)];

/** A constant from a typed array. Its bytes are little-endian on every platform of Node. */
export const tensor = (name, kind, shape, values) => [
  ...shape.map((size) => number(1, size)),
  number(2, kind),
  string(8, name),
  bytes(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
];

/** An input or output of the model. A dimension known only at run time has a name. */
export function value(name, kind, shape) {
  const sizes = shape.map((size) =>
    message(1, [typeof size === "number" ? number(1, size) : string(2, size)]),
  );
  return [string(1, name), message(2, [message(1, [number(1, kind), message(2, sizes)])])];
}

const message = (field, parts) => bytes(field, Buffer.concat(parts));

const string = (field, text) => bytes(field, Buffer.from(text, "utf8"));

const bytes = (field, content) => Buffer.concat([key(field, 2), varint(content.length), content]);

const number = (field, integer) => Buffer.concat([key(field, 0), varint(integer)]);

function single(field, float) {
  const content = Buffer.alloc(4);
  content.writeFloatLE(float);
  return Buffer.concat([key(field, 5), content]);
}

const key = (field, wire) => varint(field * 8 + wire);

function varint(integer) {
  const groups = [];
  let remaining = integer;
  for (; remaining > 127; remaining = Math.floor(remaining / 128))
    groups.push((remaining % 128) + 128);
  return Buffer.from([...groups, remaining]);
}
