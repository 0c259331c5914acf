import { Failure } from "../failure.ts";
import { type ByteMatrix, blockSize } from "./byte-matrix.ts";
import { scanCode } from "./scan-code.ts";

/**
 * Keeps the rows in the memory of a small WebAssembly program (`scan.as`), after its input and
 * output:
 *
 * ```
 * | query | products | row 0 | row 1 | …
 * ```
 *
 * Returns undefined if the machine has no SIMD instructions.
 */
export function createSimdMatrix(width: number): ByteMatrix | undefined {
  const code = Buffer.from(scanCode, "base64");
  if (!WebAssembly.validate(code)) return undefined;
  const outAt = width * 2;
  const rowsAt = outAt + blockSize * 4;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / pageBytes) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
  // `scan.as` exports this one function.
  const { scan } = exports as { scan: Scan };
  let { queryInput, out, rows } = memoryViews();

  return {
    reserve(count) {
      const missing = count * width - rows.length;
      if (missing <= 0) return;
      // The system allocates a page on its first write, so growing by more than needed is cheap.
      const pages = Math.ceil((missing + rows.length / 4) / pageBytes);
      try {
        memory.grow(pages);
      } catch (cause) {
        throw new Failure("too-large", "too-many-vectors", "There is no memory for more vectors.", {
          hints: ["Index fewer documents, or use a model with fewer dimensions."],
          cause,
        });
      }
      // Growing detached the views of the old memory.
      ({ queryInput, out, rows } = memoryViews());
    },
    write: (row, values) => rows.set(values, row * width),
    move: (from, to) => rows.copyWithin(to * width, from * width, (from + 1) * width),
    dotProducts(query, first, count) {
      queryInput.set(query);
      scan(0, rowsAt + first * width, width, count, outAt);
      return out;
    },
  };

  function memoryViews() {
    return {
      queryInput: new Int16Array(memory.buffer, 0, width),
      out: new Int32Array(memory.buffer, outAt, blockSize),
      rows: new Int8Array(memory.buffer, rowsAt),
    };
  }
}

type Scan = (query: number, row: number, width: number, count: number, out: number) => void;

const pageBytes = 65_536;

/** The part of the API that is used here; Node's types lack it. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};
