import { expect, test } from "vitest";
import { objectTools } from "../../../../tests/fixtures/objects/object-tools.ts";

const home = "# Home [[home: __Workspace]]\n";

test("[objects.tools.odd-names] columns, fields and types named like JavaScript properties work as usual", async () => {
  const { call } = await objectTools({
    "readme.qmd.md": home,
    "a.qmd.md": "# A [[a]]\n\n- __proto__: own\n\n# [[x: __ParsingError]]\n\n- type: constructor\n",
  });
  const sql = "SELECT 1 AS __proto__, 2 AS constructor, 3 AS x, 4 AS x, 5 AS x_2";
  const { items, columns } = await call("qmdc_query_sql", { sql });
  expect(columns).toEqual(["__proto__", "constructor", "x", "x", "x_2"]);
  const [row] = items as object[];
  expect(Object.entries(row ?? {})).toEqual([
    ["__proto__", 1],
    ["constructor", 2],
    ["x", 3],
    ["x_3", 4],
    ["x_2", 5],
  ]);
  const { objects } = await call("qmdc_dump_index", { kind: "__Object" });
  const [record] = objects as object[];
  expect(Object.entries(record ?? {})).toContainEqual(["__proto__", "own"]);
  expect(await call("qmdc_validate_references")).toMatchObject({
    diagnostics: [{ type: "constructor", code: "constructor" }],
  });
});

test("[objects.tools.metamodel] a namespace named `all` has its own metamodel", async () => {
  const { call } = await objectTools({
    "readme.qmd.md": home,
    "all/readme.qmd.md": "# All [[all: __Namespace]]\n\n# A [[a: Lamp]]\n",
    "b.qmd.md": "# B [[b: Lamp]]\n",
  });
  expect(await call("qmdc_describe_metamodel")).toMatchObject({ total_objects: 4 });
  expect(await call("qmdc_describe_metamodel", { namespace: "all" })).toMatchObject({
    total_objects: 2,
  });
});

test("[objects.tools.describe] text between two references is not a reference", async () => {
  const { call } = await objectTools({
    "a.qmd.md": "# A [[a]]\n\n- see: [[#b]] and [[#c]]\n- by: [[#list[0]]]\n",
  });
  for (const [field, type] of [
    ["see", "string"],
    ["by", "reference"],
  ]) {
    expect(await call("qmdc_describe_object", { ref: `a.${field}` })).toMatchObject({ type });
  }
});

test("[objects.tools.search-all] an object with more texts than a call takes arguments is found", async () => {
  const texts = Array.from({ length: 200_000 }, (_, at) => `w${at}`);
  const { call } = await objectTools({
    "a.qmd.md": `# A [[a]]\n\n## All [[all: json]]\n\n\`\`\`json\n${JSON.stringify(texts)}\n\`\`\`\n`,
  });
  expect(await call("qmdc_search_objects", { query: "w199999" })).toMatchObject({
    items: [{ id: "a" }],
  });
});

test("[objects.tools.failures] of very many candidates, some are named and the others counted", async () => {
  const objects = Array.from({ length: 60 }, (_, at) => `# [[f${at}]]\n\n## [[notes]]\n\n- a: 1\n`);
  const { call } = await objectTools({ "a.qmd.md": objects.join("\n") });
  const { error } = await call("qmdc_locate_object", { ref: "notes" });
  expect(error?.message).toMatch(
    /^'notes' is ambiguous: it matches folder::f0\.notes and .* and 10 more$/,
  );
});
