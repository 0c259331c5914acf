import { Failure } from "../failure.ts";
import { block, type Rows } from "./rows.ts";
import { scanCode } from "./scan-code.ts";

/**
 * The rows lie in the memory of a small WebAssembly program (`scan.as`), after what it is asked
 * and what it answers:
 *
 * ```
 * | query | products | row 0 | row 1 | …
 * ```
 *
 * Undefined where the machine has no vector instructions.
 */
export function simdRows(width: number): Rows | undefined {
  const code = Buffer.from(scanCode, "base64");
  if (!WebAssembly.validate(code)) return undefined;
  const outAt = width * 2;
  const rowsAt = outAt + block * 4;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / pageBytes) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
  // The program is ours and exports this one function.
  const { scan } = exports as { scan: Scan };
  let { asked, out, rows } = look();

  return {
    reserve(count) {
      const missing = count * width - rows.length;
      if (missing <= 0) return;
      // Pages cost nothing until something is written to them, so there may be some to spare.
      const pages = Math.ceil((missing + rows.length / 4) / pageBytes);
      try {
        memory.grow(pages);
      } catch (cause) {
        throw new Failure("too-large", "too-many-vectors", "There is no room for more vectors.", {
          hints: ["Index fewer documents, or use a model with fewer dimensions."],
          cause,
        });
      }
      // What was seen of the memory before it grew is empty now.
      ({ asked, out, rows } = look());
    },
    write: (place, row) => rows.set(row, place * width),
    move: (from, to) => rows.copyWithin(to * width, from * width, (from + 1) * width),
    products(query, first, count) {
      asked.set(query);
      scan(0, rowsAt + first * width, width, count, outAt);
      return out;
    },
  };

  function look() {
    return {
      asked: new Int16Array(memory.buffer, 0, width),
      out: new Int32Array(memory.buffer, outAt, block),
      rows: new Int8Array(memory.buffer, rowsAt),
    };
  }
}

type Scan = (query: number, row: number, width: number, count: number, out: number) => void;

const pageBytes = 65_536;

/** What is used of it here; the types of Node leave it out. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};
