import fc from "fast-check";
import { expect, test } from "vitest";
import { measureSize, truncateValue } from "./truncation.ts";

const shorten = (value: unknown, room: number) => truncateValue(measureSize(value), room);

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const items = (count: number, size: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: "x".repeat(size) }));

test("data within the limit is unchanged, and not marked as truncated", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { value: short, cuts } = shorten(value, bytesOf(value));
      expect(short).toEqual(value);
      expect(cuts.size).toBe(0);
    }),
  );
});

test("a list of similar items keeps its first ones complete", () => {
  const { value, cuts } = shorten({ total: 300, results: items(300, 10_000) }, 80_000);

  expect(value).toEqual({ total: 300, results: items(7, 10_000) });
  expect([...cuts]).toEqual([["results", { shown: 7, total: 300, unit: "items", failures: 0 }]]);
});

test("failed items are dropped last, and the order is kept", () => {
  const list = items(300, 10_000).map((item) => ({ ...item, success: item.id % 100 !== 99 }));
  const { value, cuts } = shorten(list, 80_000);

  expect((value as typeof list).map(({ id }) => id)).toEqual([0, 1, 2, 3, 99, 199, 299]);
  expect([...cuts.values()]).toEqual([{ shown: 7, total: 300, unit: "items", failures: 3 }]);
});

test("small items beside a large one are kept, in a list and in an object", () => {
  const list = [...items(20, 10), { id: 20, text: "x".repeat(500_000) }];
  const { value } = shorten({ list, title: "Lamps", body: "y".repeat(300_000) }, 80_000);
  const short = value as { list: { text: string }[]; title: string; body: string };

  expect(short.list).toHaveLength(21);
  expect(short.title).toBe("Lamps");
  for (const text of [short.body, short.list[20]?.text ?? ""]) {
    expect(text.length).toBeGreaterThan(30_000);
    expect(text.length).toBeLessThan(45_000);
  }
});

test("a map of very many short strings loses entries, and no string is cut", () => {
  const map = Object.fromEntries(items(50_000, 60).map(({ id, text }) => [`key${id}`, text]));
  const { value, cuts } = shorten({ object: { id: "j", data: map } }, 80_000);
  const { data } = (value as { object: { data: Record<string, string> } }).object;

  expect(bytesOf(value)).toBeLessThanOrEqual(80_000);
  expect(Object.keys(data).length).toBeGreaterThan(900);
  expect(new Set(Object.values(data).map(({ length }) => length))).toEqual(new Set([60]));
  expect([...cuts.keys()]).toEqual(["object.data"]);
});

test("deep nesting is cut at depth, and no key is cut", () => {
  interface Node {
    id: string;
    children: Node[];
  }
  let tree: Node = { id: "leaf", children: [] };
  for (let depth = 1_000; depth > 0; depth--) tree = { id: "d".repeat(depth), children: [tree] };
  const { value, cuts } = shorten({ tree }, 80_000);

  let depth = 0;
  for (let node = (value as { tree: Node }).tree; node; node = node.children[0] as Node) {
    expect(node.id).toBe("d".repeat(++depth));
  }
  expect(depth).toBeGreaterThan(300);
  expect(bytesOf(value)).toBeLessThan(85_000);
  expect(cuts.size).toBeGreaterThan(0);
});

test("for any data, the copy has about the target size, and never exceeds the original", () => {
  const long = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.nat(3_000).map((length) => "灯".repeat(length)),
  );
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      long,
      fc.array(tie("value"), { maxLength: 30 }),
      fc.dictionary(fc.string({ maxLength: 8 }), tie("value"), { maxKeys: 20 }),
    ),
  }));
  fc.assert(
    fc.property(anything, fc.integer({ min: 5_000, max: 40_000 }), (value, room) => {
      const { value: short, cuts } = shorten(value, room);
      expect(bytesOf(short)).toBeLessThanOrEqual(Math.max(bytesOf(value), room));
      if (cuts.size === 0) expect(short).toEqual(value);
      else expect(bytesOf(short)).toBeLessThan(bytesOf(value));
    }),
  );
});
