import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  addRow,
  passages,
  type SmallIndex,
  smallIndex,
} from "../../../tests/fixtures/search/small-index.ts";
import { parseQuery } from "../../text/search/query.ts";

const found = ({ index }: SmallIndex, query: string): number[] =>
  index.match(parseQuery(query), { limit: 100 }).map(({ document }) => document);

/** Runs work that throws, like indexing on a full disk. */
function failing(work: () => void): void {
  expect(work).toThrow("half-way");
}
const halfWay = (): never => {
  throw new Error("half-way");
};

test("[search.index.rollback] a change that throws is rolled back completely", () => {
  const small = smallIndex();
  small.put(1, { passages: passages("lamp") });
  addRow(small.db, 2, "2");
  failing(() =>
    small.db.transaction(() =>
      small.index.change(({ put, remove }) => {
        put(2, { title: "tower", path: "tower", passages: passages("tower", "tower keeper") });
        remove(1);
        halfWay();
      }),
    ),
  );

  expect(found(small, "tower keeper")).toEqual([]);
  expect(found(small, "lamp")).toEqual([1]);
  expect(small.index.count()).toBe(1);

  small.put(3, { passages: passages("harbour lamp") });
  expect(found(small, "lamp harbour")).toEqual([3, 1]);
  expect(found(small, "tower")).toEqual([]);
  expect(small.index.count()).toBe(2);
});

test("[search.index.rollback] a change that throws is rolled back, even if the caller continues or there is no transaction", () => {
  for (const around of [smallIndex().db.transaction, (work: () => void) => work()]) {
    const small = smallIndex();
    small.put(1, { passages: passages("lamp") });
    const attempt = () =>
      failing(() =>
        small.index.change(({ put, remove }) => {
          remove(1);
          put(2, { title: "", path: "tower", passages: passages("tower") });
          halfWay();
        }),
      );
    around(attempt);

    expect(small.index.count()).toBe(1);
    expect(found(small, "lamp")).toEqual([1]);
    expect(small.db.get("SELECT count(*) AS count FROM search_passages")).toEqual({ count: 1 });
  }
});

test("[search.index.rollback] words that were rolled back are indexed when they are added again", () => {
  const small = smallIndex();
  failing(() =>
    small.db.transaction(() => {
      small.put(1, { title: "harbour", passages: passages("a lighthouse by the sea") });
      halfWay();
    }),
  );
  small.put(1, { title: "harbour", passages: passages("a lighthouse by the sea") });

  expect(found(small, "lighthuose")).toEqual([1]);
  expect(found(small, "lighth*")).toEqual([1]);
  expect(found(small, "habrour")).toEqual([1]);
});

test("[search.index.rollback] cached reads of a transaction are discarded after its rollback", () => {
  const small = smallIndex();
  small.put(1, { passages: passages("lamp") });
  small.put(2, { passages: passages("lamp tower") });
  failing(() =>
    small.db.transaction(() => {
      small.remove(1);
      small.put(3, { passages: passages("lantern") });
      expect(found(small, "lamp")).toEqual([2]);
      expect(found(small, "lantren")).toEqual([3]);
      halfWay();
    }),
  );

  expect(found(small, "lamp")).toEqual([1, 2]);
  expect(found(small, "lantren")).toEqual([]);
});

test("a merge that is rolled back leaves the previous state", () => {
  const small = smallIndex();
  for (let document = 1; document <= 15; document++) {
    small.put(document, { passages: passages(`lamp number${document}`) });
  }
  small.remove(3);
  failing(() =>
    small.db.transaction(() => {
      small.put(16, { passages: passages("lamp") });
      small.index.compact();
      halfWay();
    }),
  );

  expect(found(small, "lamp")).toHaveLength(14);
  expect(found(small, "number7")).toEqual([7]);
  expect(found(small, "number3")).toEqual([]);
});

test("[search.index.shared] a reader on another connection sees writes, removals and new words", () => {
  const path = join(mkdtempSync(join(tmpdir(), "lectern-index-")), "store.db");
  const writer = smallIndex(path);
  const reader = smallIndex(path);
  writer.put(1, { passages: passages("a lamp") });
  expect(found(reader, "lamp")).toEqual([1]);
  expect(found(reader, "lihgthouse")).toEqual([]);

  writer.put(2, { passages: passages("a lighthouse") });
  expect(found(reader, "lighthouse")).toEqual([2]);
  expect(found(reader, "lihgthouse")).toEqual([2]);
  expect(found(reader, "lighth*")).toEqual([2]);

  writer.put(2, { passages: passages("a tower") });
  writer.remove(1);
  expect(found(reader, "lamp")).toEqual([]);
  expect(found(reader, "lighthouse lihgthouse lighth*")).toEqual([]);
  expect(found(reader, "tower")).toEqual([2]);
  expect(reader.index.count()).toBe(1);

  writer.index.compact();
  expect(found(reader, "tower")).toEqual([2]);
  reader.put(3, { passages: passages("a lighthouse once more") });
  expect(found(writer, "lihgthouse")).toEqual([3]);
  reader.db.close();
  writer.db.close();
});

test("[search.index.shared] two connections that write in turn lose nothing", () => {
  const path = join(mkdtempSync(join(tmpdir(), "lectern-index-")), "store.db");
  const [one, other] = [smallIndex(path), smallIndex(path)];
  for (let document = 1; document <= 80; document++) {
    const writer = document % 3 === 0 ? one : other;
    writer.put(document, { passages: passages(`lamp number${document}`, "tower") });
    if (document % 5 === 0) (document % 2 ? one : other).remove(document - 3);
    if (document === 50) one.index.compact();
  }
  for (const small of [one, other]) {
    expect(found(small, "lamp")).toHaveLength(64);
    expect(small.index.count()).toBe(128);
    expect(found(small, "number77")).toEqual([]);
    expect(found(small, "number79")).toEqual([79]);
    small.db.close();
  }
});

test("a search reads one snapshot, even while another connection writes", () => {
  const path = join(mkdtempSync(join(tmpdir(), "lectern-index-")), "store.db");
  const [writer, reader] = [smallIndex(path), smallIndex(path)];
  for (let document = 1; document <= 20; document++) {
    writer.put(document, { passages: passages("lamp") });
  }
  reader.db.snapshot(() => {
    expect(found(reader, "lamp")).toHaveLength(20);
    for (let document = 1; document <= 20; document++) writer.remove(document);
    writer.index.compact();
    expect(found(reader, "lamp")).toHaveLength(20);
  });
  expect(found(reader, "lamp")).toEqual([]);
  reader.db.close();
  writer.db.close();
});

test("a document without a visible row is not found, whatever the index contains", () => {
  const small = smallIndex();
  small.put(1, { passages: passages("lamp") });
  small.put(2, { passages: passages("lamp") });
  small.db.run("DELETE FROM documents WHERE id = 1");

  expect(found(small, "lamp")).toEqual([2]);
});

test("[search.explain.private] expanded and corrected words are listed only if they occur in the passage", () => {
  const small = smallIndex();
  small.put(1, { passages: passages("the lamp of a lantern") });
  small.put(2, { passages: passages("lambda launches laughter") }, "secret");
  const read = (query: string) =>
    small.index
      .match(parseQuery(query), { limit: 1, roots: ["notes"] })
      .flatMap(({ words }) => words.flatMap((word) => word.read ?? []));

  expect(read("la*").toSorted()).toEqual(["lamp", "lantern"]);
  expect(read("lamp lambd lauhgter")).toEqual([]);
});

test("lone surrogates, and a word as long as a page, are indexed and found", () => {
  const small = smallIndex();
  const long = "x".repeat(8_000);
  small.put(1, {
    title: "\ud800 lamp",
    path: "a\udfff.md",
    passages: [{ headings: ["\udc00灯台"], line: 1, endLine: 1, text: `tower\ud83d ${long}` }],
  });

  for (const query of ["lamp", "tower", "灯台", long, `${long.slice(0, 90)}*`]) {
    expect(found(small, query)).toEqual(query.endsWith("*") ? [] : [1]);
  }
});

test("sparse passage ids take no space", () => {
  const small = smallIndex();
  small.put(1, { passages: passages("lamp", "tower") });
  small.db.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'search_passages'", 2 ** 42);
  small.put(2, { passages: passages("lamp lamp", "tower") });
  small.put(3, { passages: passages("lamp tower") });

  expect(found(small, "lamp tower")).toEqual([3, 2, 1]);
  expect(found(small, "lapm")).toEqual([2, 1, 3]);
  small.remove(2);
  small.index.compact();
  expect(found(small, "lamp tower")).toEqual([3, 1]);
});
