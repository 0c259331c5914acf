import { describe, expect, test } from "vitest";
import { objectTools } from "../../../../tests/fixtures/objects/object-tools.ts";

const files = {
  "readme.qmd.md": "# Home [[home: __Workspace]]\n",
  "sea/readme.qmd.md": "# Sea [[sea: __Namespace]]\n",
  "sea/a.qmd.md": `Words about all of it.

# Lighthouse [[lighthouse: Building]]

- height: 31.50
- lit: true
- colours: [red, white]
- keeper: [[#ada]]
- nothing:
- history: Built when the harbour was dredged

## Lamp [[lamp: Lamp]]

- watts: 400

## Notes [[notes: text]]

- painted_by: [[#bo]]

The lantern was painted; see [[#ada]] and [[#lamp]].
`,
  "people.qmd.md": `# Ada Lovelace [[ada: Person]]

- name: Ada
- knows: [[#bo]]

# Bo [[bo: Person]]

# Alone [[alone: Person]]

# The lighthouse keeper's manual [[manual: Book]]

- about: [[#lighthouse.height]]
`,
};

test("[objects.tools.locate] an object is located by every form of its name", async () => {
  const { call, folder } = await objectTools(files);
  const lamp = {
    file: "sea/a.qmd.md",
    line: 12,
    id: "lighthouse.lamp",
    kind: "Lamp",
    namespace: "sea",
  };
  const names = ["lighthouse.lamp", "Lamp:lighthouse.lamp", "sea:lamp", "[[#lamp]]", "lamp.watts"];
  for (const ref of [...names, "home:sea:lighthouse.lamp"]) {
    expect([ref, await call("qmdc_locate_object", { ref })]).toEqual([
      ref,
      { success: true, ...lamp },
    ]);
  }
  const from = { path: folder.place("sea/a.qmd.md"), ref: "ada" };
  expect(await call("qmdc_locate_object", from)).toMatchObject({ file: "people.qmd.md", line: 1 });
});

test("[objects.tools.describe] an object is described with all its fields, a field with its type", async () => {
  const { call } = await objectTools(files);
  expect(await call("qmdc_describe_object", { ref: "lighthouse" })).toEqual({
    success: true,
    id: "lighthouse",
    kind: "Building",
    label: "Lighthouse",
    file: "sea/a.qmd.md",
    line: 3,
    namespace: "sea",
    workspace: "home",
    parent: null,
    fields: {
      height: 31.5,
      lit: true,
      colours: ["red", "white"],
      keeper: "[[#ada]]",
      nothing: null,
      history: "Built when the harbour was dredged",
      lamp: "[[#lighthouse.lamp]]",
      notes: expect.stringContaining("The lantern was painted"),
    },
  });
  const types = { height: "number", lit: "boolean", colours: "array", keeper: "reference" };
  for (const [field, type] of Object.entries({ ...types, nothing: "null", history: "string" })) {
    expect(await call("qmdc_describe_object", { ref: `lighthouse.${field}` })).toMatchObject({
      object_id: "lighthouse",
      field,
      type,
    });
  }
});

test("[objects.tools.references] each occurrence is listed with its source, field, line and columns", async () => {
  const { call } = await objectTools(files);
  const { references, count } = await call("qmdc_find_references", { id: "bo" });
  expect(count).toBe(2);
  expect(references).toEqual([
    {
      file: "people.qmd.md",
      line: 1,
      id: "ada",
      kind: "Person",
      field: "knows",
      reference: "[[#bo]]",
      reference_line: 4,
      start_col: 9,
      end_col: 16,
    },
    {
      file: "sea/a.qmd.md",
      line: 3,
      id: "lighthouse",
      kind: "Building",
      field: "notes",
      reference: "[[#bo]]",
      reference_line: 18,
      start_col: 14,
      end_col: 21,
    },
  ]);
  expect(await call("qmdc_find_references", { id: "alone" })).toMatchObject({ count: 0, total: 0 });
});

test("[objects.tools.search-all] search finds every object with a word, also by its namespace, without a limit on the number of objects", async () => {
  const many = Array.from({ length: 700 }, (_, n) => `# [[o${n}: Thing]]\n\n- says: wave ${n}\n`);
  const { call } = await objectTools({
    "readme.qmd.md": "# Home [[home: __Workspace]]\n",
    "a/readme.qmd.md": `# A [[a: __Namespace]]\n${many.join("")}`,
    "b/readme.qmd.md": `# B [[b: __Namespace]]\n${many.join("")}`,
  });
  const asked = { query: "wave", limit: 700 };
  expect(await call("qmdc_search_objects", asked)).toMatchObject({ total: 1_400, remaining: 700 });
  expect(await call("qmdc_search_objects", { ...asked, namespace: "b" })).toMatchObject({
    total: 700,
    truncated: false,
  });
});

test("[objects.tools.numbers] numbers keep all their digits, in answers and in messages", async () => {
  const { call } = await objectTools({
    "a.qmd.md":
      "# A [[a]]\n\n- big: 9007199254740993\n- x: 1.50\n\n# D [[a.x]]\n\n# R [[r]]\n\n- m: [[#a.x]]\n",
  });
  expect(await call("qmdc_describe_object", { ref: "a.big" })).toMatchObject({
    value: "9007199254740993",
    type: "number",
  });
  const { error } = await call("qmdc_describe_object", { ref: "a.x" });
  expect(error?.message).toContain("(value: 1.50)");
});

test("[objects.tools.search] matches are ranked: exact name, prefix, substring, field text, typo", async () => {
  const { call } = await objectTools(files);
  const ids = async (query: string, more = {}) => {
    const { items } = await call("qmdc_search_objects", { query, ...more });
    return (items as { id: string }[]).map(({ id }) => id);
  };
  expect(await ids("LIGHTHOUSE")).toEqual(["lighthouse", "lighthouse.lamp", "manual"]);
  expect((await ids("house"))[0]).toBe("lighthouse");
  expect(await ids("dredged harbour")).toEqual(["lighthouse"]);
  expect(await ids("lovelace")).toEqual(["ada"]);
  expect(await ids("Lovelase")).toEqual(["ada"]);
  expect(await ids("lighthose")).toContain("lighthouse");
  expect(await ids("lighthouse", { namespace: "SEA" })).toEqual(["lighthouse", "lighthouse.lamp"]);
  expect(await ids("xyzzy")).toEqual([]);
  for (const strange of ['"', "* OR (", "[[#ada]]", "😀", "a".repeat(5_000)]) await ids(strange);
});

test("[objects.tools.outline] the outline of a file follows the nesting of its objects", async () => {
  const { call, folder } = await objectTools({
    ...files,
    "two.qmd.md": "# [[users: Table]]\n\n## [[a]]\n\n# [[users: Entity]]\n\n## [[b]]\n\n# [[aa]]\n",
  });
  const lamp = {
    id: "lighthouse.lamp",
    kind: "Lamp",
    name: "Lamp",
    line: 12,
    level: 2,
    children: [],
  };
  const outline = { id: "lighthouse", kind: "Building", name: "Lighthouse", line: 3, level: 1 };
  for (const file of ["sea/a.qmd.md", "./sea/a.qmd.md", "a.qmd.md", folder.place("sea/a.qmd.md")]) {
    expect(await call("qmdc_outline_file", { file })).toMatchObject({
      file: "sea/a.qmd.md",
      symbols: [{ ...outline, children: [lamp] }],
      total: 1,
      truncated: false,
    });
  }
  const { symbols } = await call("qmdc_outline_file", { file: "two.qmd.md" });
  expect(symbols).toMatchObject([
    { id: "users", children: [{ id: "users.b" }] },
    { id: "users", children: [{ id: "users.a" }] },
    { id: "aa", children: [] },
  ]);
});

test("[objects.tools.tree] the tree is returned as a list or as one of three trees", async () => {
  const { call } = await objectTools(files);
  const { nodes } = await call("qmdc_get_tree");
  expect((nodes as { global_id: string }[]).map(({ global_id }) => global_id)).toEqual([
    "::home",
    "home::ada",
    "home::alone",
    "home::bo",
    "home::manual",
    "home::sea",
    "home:sea:lighthouse",
    "home:sea:lighthouse.lamp",
  ]);
  expect(await call("qmdc_get_tree", { mode: "namespace" })).toMatchObject({
    mode: "namespace",
    id: "home",
    kindGroups: [
      { kind: "Book", count: 1, objects: [{ id: "manual" }] },
      { kind: "Person", count: 3, objects: [{ id: "ada" }, { id: "alone" }, { id: "bo" }] },
    ],
    namespaces: [{ id: "sea", kindGroups: [{ kind: "Building", count: 1 }] }],
  });
  expect(await call("qmdc_get_tree", { mode: "file" })).toMatchObject({
    fileGroups: [
      { file: "people.qmd.md", count: 4 },
      { file: "sea/a.qmd.md", count: 1 },
    ],
  });
  const smart = await call("qmdc_get_tree", { mode: "smart" });
  expect(smart).toMatchObject({
    objects: [
      { id: "sea", children: [{ id: "lighthouse", children: [{ id: "lighthouse.lamp" }] }] },
      { id: "ada" },
      { id: "alone" },
      { id: "bo" },
      { id: "manual" },
    ],
  });
  const sea = await call("qmdc_get_tree", { mode: "smart", namespace: "Sea" });
  expect(sea).toMatchObject({ count: 3, objects: [{ id: "sea", children: [{}] }] });
  const bySpace = await call("qmdc_get_tree", { mode: "namespace", namespace: "sea" });
  expect(bySpace).toMatchObject({ count: 2, kindGroups: [], namespaces: [{ id: "sea" }] });
  expect(await call("qmdc_get_tree", { mode: "file", namespace: "sea" })).toMatchObject({
    fileGroups: [{ file: "sea/a.qmd.md", count: 1 }],
  });
  expect(await call("qmdc_get_tree", { mode: "sideways" })).toMatchObject({
    error: { code: "invalid-argument" },
  });
});

test("[objects.tools.metamodel] kinds are listed with their fields, connections with their types", async () => {
  const { call } = await objectTools(files);
  expect(await call("qmdc_describe_metamodel")).toEqual({
    success: true,
    kinds: [
      { kind: "Book", count: 1, fields: ["about"] },
      {
        kind: "Building",
        count: 1,
        fields: ["colours", "height", "history", "keeper", "lamp", "lit", "notes", "nothing"],
      },
      { kind: "Lamp", count: 1, fields: ["watts"] },
      { kind: "Person", count: 3, fields: ["knows", "name"] },
      { kind: "__Namespace", count: 1, fields: [] },
      { kind: "__Workspace", count: 1, fields: [] },
    ],
    edge_types: [
      { edge_type: "about", count: 1 },
      { edge_type: "keeper", count: 1 },
      { edge_type: "knows", count: 1 },
      { edge_type: "lamp", count: 1 },
      { edge_type: "notes", count: 2 },
      { edge_type: "painted_by", count: 1 },
    ],
    total_objects: 8,
    total_edges: 7,
  });
  expect(await call("qmdc_describe_metamodel", { namespace: "Sea" })).toMatchObject({
    total_objects: 3,
    total_edges: 5,
  });
});

test("[objects.tools.graph] a traversal honors depth, direction and connection types", async () => {
  const { call } = await objectTools(files);
  const reach = async (input: object) => {
    const { items } = await call("qmdc_traverse_graph", { start_id: "lighthouse", ...input });
    return (items as { id: string }[]).map(({ id }) => id);
  };
  expect(await reach({ depth: 1 })).toEqual(["lighthouse", "ada", "lighthouse.lamp", "bo"]);
  expect(await reach({ depth: 1, edge_type: "keeper" })).toEqual(["lighthouse", "ada"]);
  expect(await reach({ direction: "incoming" })).toEqual(["lighthouse", "manual"]);
  expect(await reach({ direction: "both", depth: 50 })).toHaveLength(5);
  expect(await call("qmdc_find_path", { from_id: "bo", to_id: "manual" })).toMatchObject({
    length: 2,
    nodes: [{ id: "bo", label: "bo", title: "Bo" }, { id: "lighthouse" }, { id: "manual" }],
    edges: [
      { source: "lighthouse", target: "bo", edge_type: "painted_by", source_field: "notes" },
      { source: "manual", target: "lighthouse", edge_type: "about" },
    ],
  });
  expect(await call("qmdc_find_path", { from_id: "ada", to_id: "ada" })).toMatchObject({
    length: 0,
  });
});

/** Failing calls, by error message. */
const failures: [tool: string, input: Record<string, unknown>, code: string, message: string][] = [
  ["qmdc_locate_object", { path: "", ref: "x" }, "invalid-argument", "path must not be empty"],
  ["qmdc_locate_object", { ref: " " }, "invalid-argument", "ref must not be empty"],
  ["qmdc_locate_object", { ref: "x" }, "not-found", "no object matching 'x' found in workspace"],
  ["qmdc_describe_object", { ref: "" }, "invalid-argument", "ref must not be empty"],
  [
    "qmdc_describe_object",
    { ref: "ada.age" },
    "not-found",
    "field 'age' not found on object 'ada'",
  ],
  [
    "qmdc_describe_object",
    { ref: "ada.__id" },
    "invalid-argument",
    "field '__id' is a system field and cannot be accessed via dot-path",
  ],
  ["qmdc_search_objects", { query: "" }, "invalid-argument", "query must not be empty"],
  ["qmdc_outline_file", { file: "" }, "invalid-argument", "file must not be empty"],
  ["qmdc_outline_file", { file: "no.md" }, "not-found", "file 'no.md' not found in workspace"],
  ["qmdc_validate_references", { file: "x" }, "not-found", "file 'x' not found in workspace"],
  ["qmdc_find_references", { id: "" }, "invalid-argument", "id must not be empty"],
  ["qmdc_find_references", { id: "x" }, "not-found", "no object with id 'x' found in workspace"],
  ["qmdc_traverse_graph", { start_id: "" }, "invalid-argument", "start_id must not be empty"],
  [
    "qmdc_traverse_graph",
    { start_id: "ada", direction: "up" },
    "invalid-argument",
    "direction must be 'outgoing', 'incoming', or 'both'; got 'up'",
  ],
  [
    "qmdc_traverse_graph",
    { start_id: "ada", depth: 51 },
    "invalid-argument",
    "depth must be between 1 and 50; got 51",
  ],
  [
    "qmdc_traverse_graph",
    { start_id: "ada", depth: 0 },
    "invalid-argument",
    "depth must be between 1 and 50; got 0",
  ],
  ["qmdc_find_path", { from_id: "", to_id: "a" }, "invalid-argument", "from_id must not be empty"],
  ["qmdc_find_path", { from_id: "ada", to_id: "" }, "invalid-argument", "to_id must not be empty"],
  [
    "qmdc_find_path",
    { from_id: "ada", to_id: "alone" },
    "no-path",
    "no path exists between 'ada' and 'alone'",
  ],
  [
    "qmdc_query_sql",
    { sql: "#ada" },
    "not-found",
    "Query object 'ada' not found or has no 'sql' field",
  ],
  ["qmdc_query_sql", { sql: "  " }, "invalid-argument", "empty SQL statement"],
];

describe("[objects.tools.failures] each failure has its code and message", () => {
  for (const [tool, input, code, message] of failures) {
    test(`${tool} ${JSON.stringify(input)}`, async () => {
      const { call } = await objectTools(files);
      expect(await call(tool, input)).toEqual({ success: false, error: { code, message } });
    });
  }
});

test("a long direction is not repeated in full", async () => {
  const { call } = await objectTools(files);
  const { error } = await call("qmdc_traverse_graph", {
    start_id: "ada",
    direction: "x".repeat(10_000),
  });
  expect(error?.message).toMatch(/; got 'x+…'$/);
  expect(error?.message.length).toBeLessThan(300);
});

test("[objects.tools.diagnostics] every kind of diagnostic is reported with code, line and severity", async () => {
  const { call, read } = await objectTools({
    "readme.qmd.md": "# Home [[home: __Workspace]]\n\n- a: [[#gone]]\n",
    "in/readme.qmd.md": "# [[inner: __Workspace]]\n",
    "a.qmd.md":
      "# [[w: __Workspace]]\n\n# [[x]] [[y]]\n\n- see: [[#kid]]\n\n# [[no.parent]]\n\n# [[t: __Document]]\n",
    "b.qmd.md":
      "# [[x]]\n\n# [[p]]\n\n- a:\n  - b: 1\n\n## [[kid]]\n\n# [[q]]\n\n## [[kid]]\n\n# [[f: text]]\n",
  });
  const { diagnostics } = await call("qmdc_validate_references");
  const result = (diagnostics as { file: string; line: number; code: string; type: string }[]).map(
    ({ file, line, code, type }) => [`${file}:${line}`, type, code],
  );
  expect(result).toEqual([
    ["a.qmd.md:1", "workspace_in_wrong_file", "QMDC004"],
    ["a.qmd.md:3", "multiple_definitions", "multiple_definitions"],
    ["a.qmd.md:5", "ambiguous_reference", "QMDC002"],
    ["a.qmd.md:7", "broken_parent", "broken_parent"],
    ["a.qmd.md:9", "explicit_system_type", "explicit_system_type"],
    ["b.qmd.md:1", "duplicate_id", "QMDC003"],
    ["b.qmd.md:5", "nested_subitems", "nested_subitems"],
    ["b.qmd.md:14", "dangling_field", "dangling_field"],
    ["in/readme.qmd.md:1", "nested_workspace", "nested_workspace"],
    ["readme.qmd.md:3", "broken_link", "QMDC001"],
  ]);
  expect((await read("diagnostics")).body).toMatchObject({ success: true, count: 10, diagnostics });
});

test("[objects.resources.read] resources return the tree, an object and diagnostics; failures are data", async () => {
  const { read, rpc, folder } = await objectTools(files);
  const path = encodeURIComponent(folder.root);
  expect(await read("tree")).toMatchObject({
    mimeType: "application/json",
    body: { success: true, total: 8 },
  });
  for (const id of ["lighthouse.lamp", "sea%3Alamp", "%20lamp%20"]) {
    expect((await read(`object/${id}`)).body).toMatchObject({ success: true, kind: "Lamp" });
  }
  for (const [noun, parameters, code] of [
    ["tree", "", "invalid-argument"],
    ["diagnostics", "?path=", "invalid-argument"],
    ["tree", `?path=${path}%2Fgone`, "not-found"],
    ["object/none", `?path=${path}`, "not-found"],
    ["object/%20", `?path=${path}`, "invalid-argument"],
    [`object/${"x".repeat(4_097)}`, `?path=${path}`, "invalid-argument"],
    ["tree", `?path=${path}&cursor=zzz`, undefined],
  ] as const) {
    const { mimeType, body } = await read(noun, parameters);
    expect([noun, mimeType, body.error?.code]).toEqual([noun, "application/json", code]);
  }
  const nobody = await rpc("resources/read", { uri: "qmdc://nothing" });
  expect(nobody.error?.code).toBe(-32602);
});
