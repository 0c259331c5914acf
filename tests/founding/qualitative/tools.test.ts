import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientsOf } from "../../contract/surface-clients.ts";
import { exampleIn } from "../../fixtures/library/sample-library.ts";
import {
  interviewLibrary,
  projectLibrary,
  projectShelves,
} from "../../fixtures/qualitative/project-library.ts";

/** Tools of the founding document with their parameters; optional ones have a question mark. */
const documented: Record<string, string> = {
  get_project_context: "",
  open_project: "path",
  close_project: "",
  list_sources: "source_type?",
  read_source_content: "source_id start_pos? end_pos? max_length?",
  add_text_source: "name content memo? origin?",
  import_file_source: "file_path name? memo? origin? dry_run?",
  remove_source: "source_id confirm?",
  suggest_source_metadata: "source_id language? topics? organization_suggestion?",
  navigate_to_segment: "source_id start_pos end_pos highlight?",
  list_folders: "",
  create_folder: "name parent_id?",
  rename_folder: "folder_id new_name",
  delete_folder: "folder_id",
  move_source_to_folder: "source_id folder_id?",
  list_codes: "",
  get_code: "code_id",
  batch_apply_codes: "operations",
  list_segments_for_source: "source_id",
  create_code: "name color memo? category_id?",
  update_code: "code_id name? color? memo? category_id?",
  delete_code: "code_id delete_segments? confirm?",
  merge_codes: "source_code_id target_code_id confirm?",
  remove_coding: "segment_id",
  auto_code_pattern: "code_id pattern source_id? match_type? scope? case_sensitive? dry_run?",
  auto_code_speaker: "code_id speaker source_id? dry_run?",
};

interface Tool {
  name: string;
  inputSchema: { properties?: Record<string, unknown>; required?: string[] };
}

test("[qualitative.wire.tools] the documented tools are listed with their parameters", async () => {
  const { request } = clientsOf(projectLibrary().library, projectShelves);
  const { tools } = (await request("GET", "/tools")).body as { tools: Tool[] };

  for (const [name, parameters] of Object.entries(documented)) {
    const tool = tools.find((one) => one.name === name);
    const keys = parameters.split(" ").filter(Boolean);
    const requiredKeys = keys.filter((key) => !key.endsWith("?"));
    expect([name, tool?.inputSchema.required ?? []]).toEqual([name, requiredKeys]);
    for (const key of keys) {
      expect(tool?.inputSchema.properties).toHaveProperty(key.replace("?", ""));
    }
  }
});

test("[qualitative.wire.envelope] lists are arrays under data, over MCP and REST", async () => {
  const { tool, rpc } = clientsOf((await interviewLibrary()).library, projectShelves);

  expect((await tool("list_codes", {})).body).toMatchObject({
    success: true,
    data: [{ id: 1, name: "Hope" }, { id: 2 }],
  });
  expect((await tool("list_segments_for_source", { source_id: "1" })).body).toMatchObject({
    success: true,
    data: [{ id: 1, code_id: 1, start_position: 2, end_position: 7, selected_text: "hoped" }],
  });
  expect((await tool("list_sources", {})).body).toMatchObject({
    success: true,
    data: { count: 2, sources: [{ id: 1 }, { id: 2 }] },
  });
  const { result } = await rpc("tools/call", { name: "list_codes", arguments: {} });
  expect(result?.structuredContent).toMatchObject({ success: true, data: [{ id: 1 }, { id: 2 }] });
});

test("[qualitative.wire.codes] the documented failures have their codes, over MCP and REST", async () => {
  const { library, call } = await interviewLibrary();
  await call("move_source_to_folder", { source_id: 1, folder_id: 1 });
  const { tool, rpc } = clientsOf(library, projectShelves);
  const check = async (name: string, input: object, code: string) => {
    const { body } = await tool(name, input);
    expect([name, body]).toMatchObject([name, { success: false, error_code: code }]);
    expect(body.error).not.toBe("");
    const { result } = await rpc("tools/call", { name, arguments: input });
    expect(result).toMatchObject({ isError: true, structuredContent: { error_code: code } });
  };

  await check("get_code", { code_id: 99 }, "CODE_NOT_FOUND");
  await check("read_source_content", { source_id: 99 }, "SOURCE_NOT_FOUND");
  await check("read_source_content", { source_id: 1, start_pos: -1 }, "INVALID_POSITION");
  await check("add_text_source", { name: "ana", content: "x" }, "SOURCE_NOT_ADDED/DUPLICATE_NAME");
  await check("create_folder", { name: "Round 1" }, "FOLDER_NOT_CREATED/DUPLICATE_NAME");
  await check("delete_folder", { folder_id: 1 }, "FOLDER_NOT_DELETED/HAS_SOURCES");
  expect((await tool("list_cods", {})).body).toMatchObject({ error_code: "TOOL_NOT_FOUND" });
  await tool("close_project", {});
  await check("list_codes", {}, "NO_PROJECT");
});

test("[qualitative.wire.codes] a failed batch keeps every item's result beside its code", async () => {
  const { tool } = clientsOf((await interviewLibrary()).library, projectShelves);
  const { body } = await tool("batch_apply_codes", {
    operations: [{ code_id: 1, source_id: 1, start_position: 0, end_position: 999 }],
  });

  expect(body).toMatchObject({
    success: false,
    error_code: "BATCH_APPLY_CODES/ALL_FAILED",
    data: { total: 1, results: [{ index: 0, error_code: "INVALID_POSITION" }] },
  });
});

test("[qualitative.wire.examples] every tool's example works on the sample project", async () => {
  const names = projectLibrary()
    .library.catalogue.entries.filter(({ operation }) => operation.expose.mcp)
    .map(({ operation }) => [operation.name, operation.example] as const);

  expect(names.length).toBeGreaterThan(20);
  for (const [name, example] of names) {
    const { library, root } = await interviewLibrary();
    const { tool } = clientsOf(library, projectShelves);
    const { body } = await tool(name, exampleIn(root, example));
    expect([name, body]).toMatchObject([name, { success: true }]);
  }
});

test("[qualitative.wire.tools] a person creates a project on the command line", async () => {
  const { library, root } = projectLibrary();
  const { shell } = clientsOf(library, projectShelves);

  expect(await shell("project", "create", "Talks.qda", "--name", "Evening talks")).toEqual({
    code: 0,
    out: "Created the project 'Evening talks'.\n",
    err: "",
  });
  expect(await shell("project", "create", "Talks.qda")).toMatchObject({ code: 4, out: "" });
  expect(existsSync(join(root, "Talks.qda", "data.qda"))).toBe(true);
});

test("[qualitative.wire.budget] the shelf's tools fit into an agent's token budget", async () => {
  const { rpc } = clientsOf(projectLibrary().library, projectShelves);
  const { result } = await rpc("tools/list", {});

  expect(JSON.stringify(result).length / 4).toBeLessThan(5_000);
});
