import { describe, expect, test } from "vitest";
import { box, columnsAround, columnsInTurn, drawn } from "./drawing.ts";

const nodes = (...ids: string[]) => ids.map((id) => ({ id }));
const around = (start: string, all: ReturnType<typeof nodes>, edges: ReturnType<typeof edge>[]) =>
  drawn(all, edges, columnsAround(start, edges));
const edge = (source: string, target: string, words = "knows") => ({ source, target, words });

describe("a drawing of what lies around one thing", () => {
  test("what leads to it stands on the left, where it leads on the right, the rest further out", () => {
    const { nodes: placed } = around("b", nodes("a", "b", "c", "d", "z"), [
      edge("a", "b"),
      edge("b", "c"),
      edge("d", "c"),
      edge("z", "a"),
    ]);
    const byX = [...placed].sort((one, other) => one.x - other.x).map(({ node }) => node.id);
    expect(byX).toEqual(["z", "a", "b", "c", "d"]);
  });

  test("no two boxes overlap, and all lie within the drawing", () => {
    const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
    const edges = ids.slice(1).map((id, at) => edge(ids[Math.floor(at / 3)] ?? "", id));
    const { nodes: placed, width, height } = around("n0", nodes(...ids), edges);
    expect(placed).toHaveLength(40);
    for (const one of placed) {
      expect(one.x >= 0 && one.x + box.width <= width).toBe(true);
      expect(one.y >= 0 && one.y + box.height <= height).toBe(true);
      for (const other of placed) {
        if (other === one) continue;
        const isApart =
          Math.abs(one.x - other.x) >= box.width || Math.abs(one.y - other.y) >= box.height;
        expect(isApart, `${one.node.id} ${other.node.id}`).toBe(true);
      }
    }
  });

  test("two things said of one thing are one arrow, and what is said of itself is none", () => {
    const { arrows } = around("a", nodes("a", "b"), [
      edge("a", "b", "knows"),
      edge("a", "b", "asks"),
      edge("b", "a", "knows"),
      edge("a", "a", "is"),
    ]);
    expect(arrows.map(({ words }) => words)).toEqual(["knows, asks", "knows"]);
  });

  test("in turn, every arrow points to the right, and a circle is drawn all the same", () => {
    const edges = [edge("a", "c"), edge("b", "c"), edge("a", "d"), edge("c", "d")];
    expect([...columnsInTurn(edges)]).toEqual([
      ["a", 0],
      ["c", 1],
      ["b", 0],
      ["d", 2],
    ]);
    const circle = [edge("a", "b"), edge("b", "a")];
    expect(drawn(nodes("a", "b"), circle, columnsInTurn(circle)).nodes).toHaveLength(2);
  });

  test("what cannot be reached, and what is not among the nodes, is left out", () => {
    const { nodes: placed, arrows } = around("a", nodes("a", "b", "far", "off"), [
      edge("a", "b"),
      edge("far", "off"),
      edge("b", "gone"),
    ]);
    expect(placed.map(({ node }) => node.id)).toEqual(["a", "b"]);
    expect(arrows).toHaveLength(1);
  });
});
