import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { objectFolder } from "../../fixtures/objects/object-folder.ts";
import { objectTools } from "../../fixtures/objects/object-tools.ts";
import { qmdcWithInput } from "../../fixtures/objects/qmdc-program.ts";

const files = {
  "readme.qmd.md": "# Home [[home: __Workspace]]\n",
  "a.qmd.md":
    "# Lamp [[lamp: Lamp]]\n\n- of: [[#tower]]\n\n# Tower [[tower]]\n\n# Alone [[alone]]\n",
};

interface Answer {
  id: unknown;
  result?: { [key: string]: unknown; content?: { text: string }[]; isError?: boolean };
  error?: { code: number };
}

/** The answers of `qmdc mcp` to lines on its standard input. */
async function serve(lines: readonly unknown[], ...args: string[]): Promise<Answer[]> {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  const { code, out, err } = await qmdcWithInput(`${text.join("\n")}\n`, "mcp", ...args);
  expect([code, err.includes("ERROR")]).toEqual([0, false]);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Answer => JSON.parse(line));
}

const request = (id: number, method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

test("[objects.founding.protocol] the handshake, tools, resources and shutdown are answered, each on one line", async () => {
  const { root } = objectFolder(files);
  const answers = await serve([
    request(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    }),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    "",
    "   ",
    request(2, "tools/list"),
    request(3, "tools/call", {
      name: "qmdc_locate_object",
      arguments: { path: root, ref: "lamp" },
    }),
    request(4, "resources/list"),
    request(5, "resources/read", { uri: `qmdc://object/lamp?path=${encodeURIComponent(root)}` }),
    { jsonrpc: "2.0", id: 6 },
    "{not json",
    request(7, "no/such/method"),
    request(8, "shutdown"),
  ]);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  expect(byId.get(1)?.result).toMatchObject({ serverInfo: { name: "qmdc" } });
  expect(byId.get(2)?.result?.tools).toHaveLength(14);
  expect(JSON.parse(byId.get(3)?.result?.content?.[0]?.text ?? "")).toMatchObject({ line: 1 });
  const resources = byId.get(4)?.result?.resources as { uri: string }[];
  expect(resources.map(({ uri }) => uri)).toEqual([
    "qmdc://guide",
    "qmdc://tree",
    "qmdc://diagnostics",
  ]);
  expect(byId.get(5)?.result?.contents).toMatchObject([{ mimeType: "application/json" }]);
  expect(byId.get(6)?.error?.code).toBe(-32600);
  expect(byId.get(null)?.error?.code).toBe(-32700);
  expect(byId.get(7)?.error?.code).toBe(-32601);
  expect(byId.get(8)?.result).toEqual({});
});

test("[objects.founding.force-root] with --force-root paths outside are refused, without it they are allowed", async () => {
  const { root, above, place } = objectFolder(files);
  mkdirSync(place("sub"));
  const call = (id: number, path: string) =>
    request(id, "tools/call", { name: "qmdc_describe_metamodel", arguments: { path } });
  const codes = (answers: Answer[]) =>
    new Map(
      answers.map(({ id, result }) => {
        const body = JSON.parse(result?.content?.[0]?.text ?? "{}");
        return [id, [result?.isError ?? false, body.error?.code ?? body.success]];
      }),
    );
  const calls = [call(1, root), call(2, above), call(3, "/etc")];
  const confined = codes(await serve(calls, "--force-root", root));
  expect([...confined].sort()).toEqual([
    [1, [false, true]],
    [2, [true, "out-of-root"]],
    [3, [true, "out-of-root"]],
  ]);
  expect(codes(await serve([call(1, above)])).get(1)).toEqual([false, true]);
  const rootAbove = codes(await serve([call(1, place("sub"))], "--force-root", place("sub")));
  expect(rootAbove.get(1)).toEqual([true, "out-of-root"]);
});

test("[objects.founding.envelope] a failed tool call returns its error as data, always in the same form", async () => {
  const { rpc, folder } = await objectTools(files);
  const { result } = await rpc("tools/call", {
    name: "qmdc_locate_object",
    arguments: { path: folder.root, ref: "none" },
  });
  const envelope = {
    success: false,
    error: { code: "not-found", message: "no object matching 'none' found in workspace" },
  };
  expect(result).toMatchObject({ isError: true, structuredContent: envelope });
  const [block] = (result?.content ?? []) as { text: string }[];
  expect(JSON.parse(block?.text ?? "")).toEqual(envelope);
});

test("[objects.founding.codes] every error code can occur, and none of the messages contains a path of the machine", async () => {
  const { call, folder } = await objectTools(files, ({ root }) => ({ forceRoot: root }));
  folder.put("empty/.git/HEAD", "");
  folder.put("many/.git/HEAD", "");
  for (let number = 0; number <= 10_000; number++) folder.put(`many/${number}.qmd.md`, "");
  const failures: [string, Record<string, unknown>, string][] = [
    ["qmdc_locate_object", { ref: "" }, "invalid-argument"],
    ["qmdc_locate_object", { ref: "none" }, "not-found"],
    ["qmdc_get_tree", { path: folder.place("empty") }, "not-resolved"],
    ["qmdc_get_tree", { path: folder.above }, "out-of-root"],
    [
      "qmdc_query_sql",
      { path: folder.place("a.qmd.md"), sql: "DELETE FROM objects" },
      "not-read-only",
    ],
    ["qmdc_get_tree", { path: folder.place("many") }, "reparse-bound-exceeded"],
    ["qmdc_find_path", { from_id: "lamp", to_id: "alone" }, "no-path"],
  ];
  folder.put(".qmdcignore", "many/\n");
  for (const [tool, input, code] of failures) {
    const { error } = await call(tool, input);
    expect([tool, error?.code]).toEqual([tool, code]);
    if (input.path !== folder.above) expect(error?.message).not.toContain(folder.root);
  }
});

test("[objects.founding.read-only-sql] only a single read-only statement is run", async () => {
  const { call } = await objectTools(files);
  const code = async (sql: string) => (await call("qmdc_query_sql", { sql })).error?.code ?? "runs";
  const writes = [
    "INSERT INTO objects DEFAULT VALUES",
    "DROP TABLE edges",
    "UPDATE objects SET __id=1",
  ];
  const others = [
    "PRAGMA table_info(objects)",
    "BEGIN",
    "ATTACH 'x' AS y",
    "VACUUM",
    "CREATE TABLE t(a)",
  ];
  for (const sql of [...writes, ...others]) {
    expect([sql, await code(sql)]).toEqual([sql, "not-read-only"]);
  }
  expect(["invalid-argument", "not-read-only"]).toContain(
    await code("SELECT 1; DELETE FROM objects"),
  );
  for (const sql of [
    "SELECT 1",
    "WITH a AS (SELECT 1) SELECT * FROM a",
    "VALUES (1)",
    "EXPLAIN SELECT 1",
  ]) {
    expect([sql, await code(sql)]).toEqual([sql, "runs"]);
  }
});

test("[objects.founding.aggregates] trees and the metamodel are complete for any number of objects", async () => {
  const many = Array.from({ length: 300 }, (_, n) => `# O [[o_${n}: K${n}]]\n`).join("\n");
  const { call } = await objectTools({ ...files, "many.qmd.md": many });
  const { kinds } = await call("qmdc_describe_metamodel");
  expect(kinds).toHaveLength(303);
  const tree = await call("qmdc_get_tree", { mode: "smart" });
  expect(tree.objects).toHaveLength(303);
});

/** Names and parameters of the tools; required parameters have a star. */
const tools = `
  qmdc_describe_metamodel namespace path*
  qmdc_describe_object path* ref*
  qmdc_dump_index cursor files_cursor kind limit namespace path*
  qmdc_find_path edge_type from_id* path* to_id*
  qmdc_find_references cursor id* limit path*
  qmdc_get_guide
  qmdc_get_tree cursor limit mode namespace path*
  qmdc_locate_object path* ref*
  qmdc_outline_file cursor file* limit path*
  qmdc_query_sql cursor limit offset path* sql*
  qmdc_rename_object cursor limit new_id* old_id* path* propose
  qmdc_search_objects cursor limit namespace path* query*
  qmdc_traverse_graph cursor depth direction edge_type edges_cursor limit path* start_id*
  qmdc_validate_references cursor file limit path*`;

test("[objects.founding.tools] the fourteen tools have the documented names, parameters and annotations", async () => {
  const { rpc } = await objectTools(files, { shelves: "objects" });
  const { result } = await rpc("tools/list", {});
  const listed = result?.tools as {
    name: string;
    inputSchema: { properties?: Record<string, unknown>; required?: string[] };
    outputSchema?: object;
    annotations: { readOnlyHint: boolean };
  }[];
  const lines = listed.map(({ name, inputSchema: { properties = {}, required = [] } }) => {
    const keys = Object.keys(properties).sort();
    return [name, ...keys.map((key) => (required.includes(key) ? `${key}*` : key))].join(" ");
  });
  expect(lines.sort().join("\n")).toBe(tools.replace(/^\s+/gm, ""));
  for (const { name, annotations, outputSchema } of listed) {
    expect([name, annotations.readOnlyHint]).toEqual([name, true]);
    if (name !== "qmdc_get_guide") expect([name, outputSchema !== undefined]).toEqual([name, true]);
  }
});

test("[objects.founding.guide] the guide names every tool, and is available as a tool and as a resource", async () => {
  const { rpc } = await objectTools(files);
  const { result } = await rpc("resources/read", { uri: "qmdc://guide" });
  const [guide] = (result?.contents ?? []) as { mimeType: string; text: string }[];
  expect(guide?.mimeType).toBe("text/markdown");
  const response = await rpc("tools/call", { name: "qmdc_get_guide", arguments: {} });
  expect(response.result?.content).toMatchObject([{ text: guide?.text }]);
  for (const [name] of tools.matchAll(/qmdc_\w+/g)) {
    if (name !== "qmdc_get_guide") expect(guide?.text).toContain(name);
  }
});
