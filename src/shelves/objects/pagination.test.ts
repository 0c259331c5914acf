import { expect, test } from "vitest";
import { objectTools, type ToolBody } from "../../../tests/fixtures/objects/object-tools.ts";
import { randomNumbers } from "../../../tests/fixtures/random-numbers.ts";

/** Objects that share ids, kinds and lines, in several files and namespaces. */
function crowded(seed: number): Record<string, string> {
  const random = randomNumbers(seed);
  const any = (...words: string[]): string => words[Math.floor(random() * words.length)] ?? "";
  const object = () =>
    `# ${any("One", "Two")} [[${any("a", "b", "c")}: ${any("Kind", "Other")}]]

- to: [[#Kind:a]], [[#nothing]], [[#Other:b]]

## Child [[${any("x", "y")}]]

- up: [[#c]], [[#hub]]

Words, and [[#hub]].

`;
  const files: Record<string, string> = {
    "readme.qmd.md": "# Home [[home: __Workspace]]\n\n## Hub [[hub]]\n",
    "ns/readme.qmd.md": "# Space [[ns: __Namespace]]\n",
  };
  for (const name of ["a", "b", "ns/a", "ns/c"]) {
    files[`${name}.qmd.md`] = `Words\n\n${Array.from({ length: 6 }, object).join("")}`;
  }
  return files;
}

/** Every paged list: the tool, its input, and the path of the list. */
const lists: [tool: string, input: Record<string, unknown>, key: string, prefix?: string][] = [
  ["qmdc_search_objects", { query: "a" }, "items"],
  ["qmdc_search_objects", { query: "child words" }, "items"],
  ["qmdc_get_tree", {}, "nodes"],
  ["qmdc_get_tree", { namespace: "NS" }, "nodes"],
  ["qmdc_dump_index", {}, "objects"],
  ["qmdc_dump_index", { kind: "Kind" }, "objects"],
  ["qmdc_find_references", { id: "hub" }, "references"],
  ["qmdc_validate_references", {}, "diagnostics"],
  ["qmdc_validate_references", { file: "b.qmd.md" }, "diagnostics"],
  ["qmdc_outline_file", { file: "ns/c.qmd.md" }, "symbols"],
  ["qmdc_rename_object", { old_id: "hub", new_id: "heart" }, "edits"],
  ["qmdc_traverse_graph", { start_id: "hub", direction: "both", depth: 9 }, "items"],
  ["qmdc_traverse_graph", { start_id: "hub", direction: "both" }, "edges", "edges_"],
  ["qmdc_query_sql", { sql: "SELECT rowid, __global_id FROM objects" }, "items"],
];

const numberIn = (body: ToolBody, key: string): number => Number(body[key]);

test("[objects.paging.complete] the pages of any list contain every item once, for any limit", async () => {
  for (const seed of [1, 2]) {
    const { call } = await objectTools(crowded(seed));
    for (const [tool, input, key, prefix = ""] of lists) {
      const whole = await call(tool, { ...input, limit: 1_000 });
      const all = whole[key] as unknown[];
      expect([tool, all.length, whole[`${prefix}truncated`]]).toEqual([
        tool,
        numberIn(whole, `${prefix}total`),
        false,
      ]);
      expect([tool, all.length > 1]).toEqual([tool, true]);
      for (const limit of [1, 3, 7]) {
        const items: unknown[] = [];
        for (let cursor: unknown, left = -1; left !== 0; ) {
          const page = await call(tool, {
            ...input,
            limit,
            ...(cursor !== undefined && { [`${prefix}cursor`]: cursor }),
          });
          items.push(...(page[key] as unknown[]));
          left = all.length - items.length;
          expect(left).toBeGreaterThanOrEqual(0);
          expect([page[`${prefix}truncated`], page[`${prefix}remaining`] ?? 0]).toEqual([
            left > 0,
            left,
          ]);
          expect(numberIn(page, `${prefix}total`)).toBe(all.length);
          cursor = page[`${prefix}next_cursor`];
          expect(typeof cursor).toBe(left > 0 ? "string" : "undefined");
        }
        expect(items).toEqual(all);
      }
    }
  }
});

test("[objects.paging.limits] limits out of range are clamped, and an unknown cursor is refused", async () => {
  const { call } = await objectTools(crowded(4));
  for (const [tool, input, key] of lists) {
    const least = await call(tool, { ...input, limit: -5 });
    expect([tool, (least[key] as unknown[]).length]).toEqual([tool, 1]);
    const most = await call(tool, { ...input, limit: 1e9 });
    expect([tool, most.truncated]).toEqual([tool, false]);
  }
  for (const [tool, input] of [
    ["qmdc_search_objects", { query: "a" }],
    ["qmdc_query_sql", { sql: "SELECT 1" }],
  ] as const) {
    expect(await call(tool, { ...input, cursor: "strange" })).toMatchObject({
      success: false,
      error: { code: "invalid-argument", message: expect.stringContaining("cursor") },
    });
  }
});

test("[objects.paging.default] the default page size is 200 items", async () => {
  const many = Array.from({ length: 250 }, (_, n) => `# O [[o_${n}: Thing]]\n\n- to: [[#hub]]\n`);
  const { call, read } = await objectTools({
    "readme.qmd.md": "# Home [[home: __Workspace]]\n\n## Hub [[hub]]\n",
    "many.qmd.md": many.join("\n"),
  });
  for (const [tool, input, key] of [
    ["qmdc_get_tree", {}, "nodes"],
    ["qmdc_find_references", { id: "hub" }, "references"],
    ["qmdc_traverse_graph", { start_id: "hub", direction: "incoming" }, "items"],
    ["qmdc_rename_object", { old_id: "hub", new_id: "heart" }, "edits"],
  ] as const) {
    const body = await call(tool, input);
    expect([tool, (body[key] as unknown[]).length, body.truncated]).toEqual([tool, 200, true]);
    expect(body.remaining).toBe(numberIn(body, "total") - 200);
  }
  expect((await read("tree")).body).toMatchObject({ success: true, total: 252, truncated: false });
});

test("[objects.paging.files] the files of a dump are paged separately", async () => {
  const files: Record<string, string> = { "readme.qmd.md": "# Home [[home: __Workspace]]\n" };
  for (let number = 0; number < 450; number++) files[`f/${number}.qmd.md`] = "";
  const { call } = await objectTools(files);
  const seen: unknown[] = [];
  for (let cursor: unknown, isMore = true; isMore; ) {
    const page = await call(
      "qmdc_dump_index",
      cursor === undefined ? {} : { files_cursor: cursor },
    );
    seen.push(...(page.files as unknown[]));
    cursor = page.files_next_cursor;
    isMore = page.files_truncated === true;
  }
  expect(new Set(seen).size).toBe(451);
  expect(seen).toHaveLength(451);
});
