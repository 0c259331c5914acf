import { float64At } from "../../text/arrays/typed-element-at.ts";
import type { Database } from "../storage/database.ts";
import {
  concatVectors,
  filterVectors,
  type QuantisedVectors,
  sliceVectors,
} from "./quantisation.ts";

/**
 * Pages of quantised vectors, stored in addition to the original ones. A process loads these for its
 * first search: a quarter of the data in a hundredth of the rows. The id ranges of pages do not
 * overlap.
 */
export interface QuantisedPages {
  /** The ids must be ascending, and higher than all stored ones. */
  append(vectors: QuantisedVectors): void;
  retainOnly(ids: ReadonlySet<number>): void;
  /** All vectors with higher ids than this one, in the order of ids, a page at a time. */
  pagesAfter(id: number): Generator<QuantisedVectors>;
}

export const quantisedPageTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_vector_pages (
    id INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES ${shelf}_vector_models ON DELETE CASCADE,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    packed BLOB NOT NULL,
    UNIQUE (model, first)
  );`;

export function openQuantisedPages(
  db: Database,
  shelf: string,
  model: number,
  dimensions: number,
): QuantisedPages {
  const table = `${shelf}_vector_pages`;

  return {
    append(vectors) {
      const last = lastPage();
      const before = last && unpack(last.packed, dimensions);
      const hasRoom = before && before.ids.length < maxVectorsPerPage;
      if (hasRoom) drop(last);
      const all = hasRoom ? concatVectors(before, vectors) : vectors;
      for (let from = 0; from < all.ids.length; from += maxVectorsPerPage) {
        const page = sliceVectors(all, from, from + maxVectorsPerPage);
        db.run(
          `INSERT INTO ${table} (model, first, last, packed) VALUES (?, ?, ?, ?)`,
          model,
          float64At(page.ids, 0),
          float64At(page.ids, page.ids.length - 1),
          pack(page),
        );
      }
    },
    retainOnly(ids) {
      for (let page = pageAfter(-1); page; page = pageAfter(page.first)) {
        const before = unpack(page.packed, dimensions);
        const retained = filterVectors(before, (id) => ids.has(id));
        if (retained.ids.length === 0) drop(page);
        else if (retained.ids.length < before.ids.length) {
          db.run(`UPDATE ${table} SET packed = ? WHERE id = ?`, pack(retained), page.id);
        }
      }
    },
    *pagesAfter(id) {
      for (let page = pageAfter(-1, id); page; page = pageAfter(page.first, id)) {
        const vectors = unpack(page.packed, dimensions);
        yield page.first > id ? vectors : filterVectors(vectors, (vectorId) => vectorId > id);
      }
    },
  };

  /** The next page after the one that starts at `first`. Skips pages without ids above `id`. */
  function pageAfter(first: number, id = 0): PageRow | undefined {
    return db.get<PageRow>(
      `SELECT id, first, packed FROM ${table}
        WHERE model = ? AND first > ? AND last > ? ORDER BY first LIMIT 1`,
      model,
      first,
      id,
    );
  }

  function lastPage(): PageRow | undefined {
    return db.get<PageRow>(
      `SELECT id, first, packed FROM ${table} WHERE model = ? ORDER BY first DESC LIMIT 1`,
      model,
    );
  }

  function drop(page: PageRow): void {
    db.run(`DELETE FROM ${table} WHERE id = ?`, page.id);
  }
}

interface PageRow {
  id: number;
  first: number;
  packed: Uint8Array;
}

/** With the bundled model a page has about 100 KB. */
const maxVectorsPerPage = 256;

/**
 * ```
 * | ids, 8 bytes each | scales, 4 bytes each | rows, 1 byte per dimension |
 * ```
 */
function pack({ ids, scales, rows }: QuantisedVectors): Uint8Array {
  const packed = new Uint8Array(ids.byteLength + scales.byteLength + rows.byteLength);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of [ids, scales, rows]) {
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return packed;
}

function unpack(packed: Uint8Array, dimensions: number): QuantisedVectors {
  // A Float64Array must be 8-byte aligned; a copy is.
  const { buffer, byteOffset } = packed.byteOffset % 8 === 0 ? packed : new Uint8Array(packed);
  const count = packed.length / (12 + dimensions);
  return {
    ids: new Float64Array(buffer, byteOffset, count),
    scales: new Float32Array(buffer, byteOffset + count * 8, count),
    rows: new Int8Array(buffer, byteOffset + count * 12, count * dimensions),
  };
}
