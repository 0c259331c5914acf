import { float64At } from "../../text/arrays/typed-element-at.ts";
import type { ColumnValue } from "../storage/database.ts";
import { all, get, inNumbers, insertAll, run, runForEach, type Steps } from "../storage/steps.ts";
import {
  concatVectors,
  filterVectors,
  type QuantisedVectors,
  sliceVectors,
} from "./quantisation.ts";
import { modelRow, type VectorModel } from "./vector-model.ts";

/**
 * Pages of quantised vectors, stored in addition to the original ones. A process loads these for its
 * first search: a quarter of the data in a hundredth of the rows. The id ranges of pages do not
 * overlap.
 */
export interface QuantisedPages {
  /** The ids must be ascending, and higher than all stored ones. */
  append(model: number, vectors: QuantisedVectors): Steps<void>;
  retainOnly(ids: ReadonlySet<number>): Steps<void>;
  /**
   * Calls `use` with all vectors of higher ids than this one, in the order of ids, a page at a time.
   * Returns an id below those of all later vectors.
   */
  forEachAfter(id: number, use: (vectors: QuantisedVectors) => void): Steps<number>;
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
  shelf: string,
  { id: name, weights, dimensions }: VectorModel,
): QuantisedPages {
  const table = `${shelf}_vector_pages`;
  const ofModel = [name, weights, dimensions];
  const selectPages = `SELECT id, first, last, packed FROM ${table} WHERE model = ${modelRow(shelf)}`;

  return {
    *append(model, vectors) {
      if (vectors.ids.length === 0) return;
      const last = yield* get<PageRow>(`${selectPages} ORDER BY first DESC LIMIT 1`, ...ofModel);
      const before = last && unpack(last.packed, dimensions);
      const hasRoom = before && before.ids.length < maxVectorsPerPage;
      if (hasRoom) yield* drop([last]);
      const appended = hasRoom ? concatVectors(before, vectors) : vectors;
      const rows: ColumnValue[][] = [];
      for (let from = 0; from < appended.ids.length; from += maxVectorsPerPage) {
        const page = sliceVectors(appended, from, from + maxVectorsPerPage);
        const { ids } = page;
        rows.push([model, float64At(ids, 0), float64At(ids, ids.length - 1), pack(page)]);
      }
      yield* insertAll(`INSERT INTO ${table} (model, first, last, packed)`, rows);
    },
    *retainOnly(ids) {
      for (let pages = yield* pagesAfter(noPage); pages.length > 0; ) {
        const changed = pages.flatMap((page) => {
          const before = unpack(page.packed, dimensions);
          const retained = filterVectors(before, (id) => ids.has(id));
          return retained.ids.length < before.ids.length ? [{ page, retained }] : [];
        });
        yield* drop(changed.flatMap(({ page, retained }) => (retained.ids.length ? [] : page)));
        yield* runForEach(
          replacePackedIn(table),
          changed.flatMap(({ page, retained }) =>
            retained.ids.length ? [[pack(retained), page.id]] : [],
          ),
        );
        pages = yield* pagesAfter(pages.at(-1));
      }
    },
    *forEachAfter(id, use) {
      let highest = id;
      for (let pages = yield* pagesAfter({ first: 0, last: id }); pages.length > 0; ) {
        for (const { first, last, packed } of pages) {
          const vectors = unpack(packed, dimensions);
          use(first > id ? vectors : filterVectors(vectors, (vectorId) => vectorId > id));
          highest = last;
        }
        pages = yield* pagesAfter(pages.at(-1));
      }
      return highest;
    },
  };

  /**
   * The pages after this one. It is among them if another process has meanwhile replaced it by one
   * with more vectors.
   */
  function pagesAfter({ first, last }: Pick<PageRow, "first" | "last"> = noPage) {
    return all<PageRow>(
      `${selectPages} AND first >= ? AND last > ? ORDER BY first LIMIT ${pagesPerStatement}`,
      ...ofModel,
      first,
      last,
    );
  }

  function* drop(pages: readonly PageRow[]): Steps<void> {
    if (pages.length === 0) return;
    const ids = JSON.stringify(pages.map(({ id }) => id));
    yield* run(`DELETE FROM ${table} WHERE id ${inNumbers("?")}`, ids);
  }
}

const replacePackedIn = (table: string) => ({
  sqlite: `UPDATE ${table} SET packed = ? WHERE id = ?`,
  postgres: `UPDATE ${table} SET packed = (given.value ->> 0)::bytea
    FROM json_array_elements(?::json) AS given (value) WHERE id = (given.value ->> 1)::bigint`,
});

interface PageRow {
  id: number;
  first: number;
  last: number;
  packed: Uint8Array;
}

/** Before the first page. */
const noPage = { first: 0, last: 0 };

/** A few megabytes. */
const pagesPerStatement = 32;

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
