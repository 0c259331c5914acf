import { describe, expect, test } from "vitest";
import { columnsAround, layeredColumns, layoutGraph, nodeSize } from "./graph-layout.ts";

const nodes = (...ids: string[]) => ids.map((id) => ({ id }));
const around = (start: string, all: ReturnType<typeof nodes>, edges: ReturnType<typeof edge>[]) =>
  layoutGraph(all, edges, columnsAround(start, edges));
const edge = (source: string, target: string, label = "knows") => ({ source, target, label });

describe("the graph around one object", () => {
  test("incoming nodes are on the left, outgoing ones on the right, others further out", () => {
    const { nodes: placed } = around("b", nodes("a", "b", "c", "d", "z"), [
      edge("a", "b"),
      edge("b", "c"),
      edge("d", "c"),
      edge("z", "a"),
    ]);
    const byX = [...placed].sort((one, other) => one.x - other.x).map(({ node }) => node.id);
    expect(byX).toEqual(["z", "a", "b", "c", "d"]);
  });

  test("no two boxes overlap, and all are inside the picture", () => {
    const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
    const edges = ids.slice(1).map((id, at) => edge(ids[Math.floor(at / 3)] ?? "", id));
    const { nodes: placed, width, height } = around("n0", nodes(...ids), edges);
    expect(placed).toHaveLength(40);
    for (const one of placed) {
      expect(one.x >= 0 && one.x + nodeSize.width <= width).toBe(true);
      expect(one.y >= 0 && one.y + nodeSize.height <= height).toBe(true);
      for (const other of placed) {
        if (other === one) continue;
        const isApart =
          Math.abs(one.x - other.x) >= nodeSize.width ||
          Math.abs(one.y - other.y) >= nodeSize.height;
        expect(isApart, `${one.node.id} ${other.node.id}`).toBe(true);
      }
    }
  });

  test("parallel connections share an arrow, and self-references have none", () => {
    const { arrows } = around("a", nodes("a", "b"), [
      edge("a", "b", "knows"),
      edge("a", "b", "asks"),
      edge("b", "a", "knows"),
      edge("a", "a", "is"),
    ]);
    expect(arrows.map(({ label }) => label)).toEqual(["knows, asks", "knows"]);
  });

  test("in layers, every arrow points right, and a cycle is laid out too", () => {
    const edges = [edge("a", "c"), edge("b", "c"), edge("a", "d"), edge("c", "d")];
    expect([...layeredColumns(edges)]).toEqual([
      ["a", 0],
      ["c", 1],
      ["b", 0],
      ["d", 2],
    ]);
    const circle = [edge("a", "b"), edge("b", "a")];
    expect(layoutGraph(nodes("a", "b"), circle, layeredColumns(circle)).nodes).toHaveLength(2);
  });

  test("unreachable nodes and unknown ids are omitted", () => {
    const { nodes: placed, arrows } = around("a", nodes("a", "b", "far", "off"), [
      edge("a", "b"),
      edge("far", "off"),
      edge("b", "gone"),
    ]);
    expect(placed.map(({ node }) => node.id)).toEqual(["a", "b"]);
    expect(arrows).toHaveLength(1);
  });
});
