import fc from "fast-check";
import { expect, test } from "vitest";
import { cutDown, weigh } from "./shortening.ts";

const shorten = (value: unknown, room: number) => cutDown(weigh(value), room);

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const items = (count: number, size: number) =>
  Array.from({ length: count }, (_, id) => ({ id, text: "x".repeat(size) }));

test("what has room stays as it is, and is not said to be cut", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { value: short, cuts } = shorten(value, bytesOf(value));
      expect(short).toEqual(value);
      expect(cuts.size).toBe(0);
    }),
  );
});

test("a list of items that weigh alike keeps its first ones whole", () => {
  const { value, cuts } = shorten({ total: 300, results: items(300, 10_000) }, 80_000);

  expect(value).toEqual({ total: 300, results: items(7, 10_000) });
  expect([...cuts]).toEqual([["results", { shown: 7, whole: 300, unit: "items", failures: 0 }]]);
});

test("items that failed are left out last, and all stand in their order", () => {
  const list = items(300, 10_000).map((item) => ({ ...item, success: item.id % 100 !== 99 }));
  const { value, cuts } = shorten(list, 80_000);

  expect((value as typeof list).map(({ id }) => id)).toEqual([0, 1, 2, 3, 99, 199, 299]);
  expect([...cuts.values()]).toEqual([{ shown: 7, whole: 300, unit: "items", failures: 3 }]);
});

test("beside a heavy one the light ones stay, in a list and in an object", () => {
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

test("a map of very many short texts loses members, and none of its texts", () => {
  const map = Object.fromEntries(items(50_000, 60).map(({ id, text }) => [`key${id}`, text]));
  const { value, cuts } = shorten({ object: { id: "j", data: map } }, 80_000);
  const { data } = (value as { object: { data: Record<string, string> } }).object;

  expect(bytesOf(value)).toBeLessThanOrEqual(80_000);
  expect(Object.keys(data).length).toBeGreaterThan(900);
  expect(new Set(Object.values(data).map(({ length }) => length))).toEqual(new Set([60]));
  expect([...cuts.keys()]).toEqual(["object.data"]);
});

test("what is nested very deep loses its depths, and no name is cut", () => {
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

test("whatever it is, the copy is about as short as it should be, and never longer than the whole", () => {
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
