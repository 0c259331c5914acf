import type { Database } from "../database.ts";
import { joined, part, type Quantised, selected } from "./quantised.ts";

/**
 * Vectors as bytes, many to a row, beside the rows that hold them whole. A process that begins to
 * look for neighbours reads these: a quarter of the data in a hundredth of the rows. The ids of a
 * page lie between its first and its last, and between those of no other.
 */
export interface BytePages {
  /** The ids must rise, and be higher than all that are there. */
  append(vectors: Quantised): void;
  keepOnly(ids: ReadonlySet<number>): void;
  /** All with ids above the given one, in the order of ids, a page at a time. */
  after(id: number): Generator<Quantised>;
}

export const bytePageTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_vector_pages (
    id INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES ${shelf}_vector_models ON DELETE CASCADE,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    packed BLOB NOT NULL,
    UNIQUE (model, first)
  );`;

export function openBytePages(
  db: Database,
  shelf: string,
  model: number,
  dimensions: number,
): BytePages {
  const table = `${shelf}_vector_pages`;

  return {
    append(vectors) {
      const last = lastPage();
      const before = last && unpack(last.packed, dimensions);
      const isOpen = before && before.ids.length < mostOfPage;
      if (isOpen) drop(last);
      const all = isOpen ? joined(before, vectors) : vectors;
      for (let from = 0; from < all.ids.length; from += mostOfPage) {
        const page = part(all, from, from + mostOfPage);
        db.run(
          `INSERT INTO ${table} (model, first, last, packed) VALUES (?, ?, ?, ?)`,
          model,
          page.ids[0] ?? 0,
          page.ids.at(-1) ?? 0,
          pack(page),
        );
      }
    },
    keepOnly(ids) {
      for (let page = pageAfter(-1); page; page = pageAfter(page.first)) {
        const before = unpack(page.packed, dimensions);
        const kept = selected(before, (id) => ids.has(id));
        if (kept.ids.length === 0) drop(page);
        else if (kept.ids.length < before.ids.length) {
          db.run(`UPDATE ${table} SET packed = ? WHERE id = ?`, pack(kept), page.id);
        }
      }
    },
    *after(id) {
      for (let page = pageAfter(-1, id); page; page = pageAfter(page.first, id)) {
        const vectors = unpack(page.packed, dimensions);
        yield page.first > id ? vectors : selected(vectors, (other) => other > id);
      }
    },
  };

  /** The page that follows another, by where that begins; those that end below an id are left out. */
  function pageAfter(first: number, id = 0): Page | undefined {
    return db.get<Page>(
      `SELECT id, first, packed FROM ${table}
        WHERE model = ? AND first > ? AND last > ? ORDER BY first LIMIT 1`,
      model,
      first,
      id,
    );
  }

  function lastPage(): Page | undefined {
    return db.get<Page>(
      `SELECT id, first, packed FROM ${table} WHERE model = ? ORDER BY first DESC LIMIT 1`,
      model,
    );
  }

  function drop(page: Page): void {
    db.run(`DELETE FROM ${table} WHERE id = ?`, page.id);
  }
}

interface Page {
  id: number;
  first: number;
  packed: Uint8Array;
}

/** As many as make a page of a hundred kilobytes with the bundled model. */
const mostOfPage = 256;

/**
 * ```
 * | ids, eight bytes each | scales, four bytes each | rows, a byte for each dimension |
 * ```
 */
function pack({ ids, scales, rows }: Quantised): Uint8Array {
  const packed = new Uint8Array(ids.byteLength + scales.byteLength + rows.byteLength);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of [ids, scales, rows]) {
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return packed;
}

function unpack(packed: Uint8Array, dimensions: number): Quantised {
  // Numbers of eight bytes may not begin just anywhere; a copy begins where they may.
  const { buffer, byteOffset } = packed.byteOffset % 8 === 0 ? packed : new Uint8Array(packed);
  const count = packed.length / (12 + dimensions);
  return {
    ids: new Float64Array(buffer, byteOffset, count),
    scales: new Float32Array(buffer, byteOffset + count * 8, count),
    rows: new Int8Array(buffer, byteOffset + count * 12, count * dimensions),
  };
}
