import { afterAll, beforeAll, expect, test } from "vitest";
import { createCatalogue } from "../../src/kernel/operations/catalogue.ts";
import type { App } from "../../src/kernel/runtime/app.ts";
import { shelves } from "../../src/shelves.ts";
import { defaultAnswerLimit } from "../../src/surfaces/mcp/answers/answer-limit.ts";
import { isTool } from "../../src/surfaces/mcp/tools.ts";
import { openLongLibrary } from "../fixtures/library/long-library.ts";
import { clientsOf } from "./surface-clients.ts";

const heap = { path: "heap" };

/** For every read-only tool, the call with the longest answer on the extended sample. */
const longest: Record<string, object> = {
  search: { query: "lighthouse", all: true, full: true },
  vsearch: { query: "lighthouse", all: true },
  query: { query: "lighthouse", all: true, full: true },
  get: { file: "long/lines.md" },
  multi_get: { pattern: "long/pages/*.md" },
  status: {},
  grep: { pattern: "lighthouse", limit: 10_000 },
  backlinks: { file: "long/lines.md" },
  list_documents: { limit: 1_000 },
  qmdc_locate_object: { ...heap, ref: "big" },
  qmdc_describe_object: { ...heap, ref: "big" },
  qmdc_search_objects: { ...heap, query: "thing", limit: 1_000 },
  qmdc_outline_file: { ...heap, file: "things.qmd.md", limit: 1_000 },
  qmdc_get_tree: { ...heap, limit: 1_000 },
  qmdc_describe_metamodel: heap,
  qmdc_dump_index: { ...heap, limit: 1_000 },
  qmdc_get_guide: {},
  qmdc_find_references: { ...heap, id: "big", limit: 1_000 },
  qmdc_traverse_graph: { ...heap, start_id: "big", direction: "incoming", limit: 1_000 },
  qmdc_find_path: { ...heap, from_id: "thing_0", to_id: "thing_1199" },
  qmdc_validate_references: { ...heap, limit: 1_000 },
  qmdc_query_sql: { ...heap, sql: "SELECT * FROM objects", limit: 1_000 },
  qmdc_rename_object: { ...heap, old_id: "big", new_id: "large", limit: 1_000 },
  "search-architecture": { query: "choose", max_results: 20 },
  "validate-against-pattern": { code: "x = 1", pattern_name: "one-ledger" },
  "check-adr-alignment": { decision_description: "choose loans" },
  decisions: { kind: "list" },
  get_project_context: {},
  open_project: { path: "long.qda" },
  close_project: {},
  list_sources: {},
  read_source_content: { source_id: 1 },
  navigate_to_segment: { source_id: 1, start_pos: 0, end_pos: 90_000 },
  list_folders: {},
  list_codes: {},
  get_code: { code_id: 1 },
  list_categories: {},
  list_segments_for_source: { source_id: 1 },
  get_report: { report: "passages", limit: 5_000 },
  analyze_repository: { path: "code", depth: "deep" },
  read_directory: { path: "long/pages" },
  recommend_ssg: { path: "code" },
  verify_deployment: { repository: "code" },
  check_documentation_links: { documentation_path: "long" },
  validate_content: { contentPath: "long" },
  validate_diataxis_content: { contentPath: "long" },
  analyze_readme: { project_path: "code" },
  detect_documentation_gaps: { repositoryPath: "code", documentationPath: "code/docs" },
  track_documentation_freshness: { docsPath: "long" },
};

let app: App;
beforeAll(async () => {
  app = await openLongLibrary();
});
afterAll(() => app.close());

interface ToolAnswer {
  content: { type: string; text?: string; resource?: { text?: string } }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

async function callTool(name: string, args: object): Promise<ToolAnswer> {
  const { result } = await clientsOf(app).rpc("tools/call", { name, arguments: args });
  // The format of a tool result in the protocol.
  return result as unknown as ToolAnswer;
}

const textOf = ({ content }: ToolAnswer): string =>
  content.map(({ text, resource }) => text ?? resource?.text ?? "").join("");

/** The note about truncation, or an empty string. */
const noteOf = ({ content }: ToolAnswer): string =>
  /A result has at most 20,000 tokens\..*$/.exec(content.at(-1)?.text ?? "")?.[0] ?? "";

test("every read-only tool is covered", () => {
  const readingTools = createCatalogue(shelves).entries.filter(
    (entry) => isTool(entry) && entry.operation.effect === "reads",
  );
  expect(Object.keys(longest).sort()).toEqual(
    readingTools.map(({ operation }) => operation.name).sort(),
  );
});

// `close_project` comes last, since other calls need an open project.
const ordered = Object.entries(longest).sort(
  ([a], [b]) => Number(a === "close_project") - Number(b === "close_project"),
);

test.each(ordered)("[core.mcp.answer-size] %s answers within 20,000 tokens", async (name, args) => {
  const answer = await callTool(name, args);
  if (name !== "vsearch") expect(answer.isError, textOf(answer).slice(0, 300)).toBeFalsy();
  const note = noteOf(answer);
  expect(Buffer.byteLength(textOf(answer)) - Buffer.byteLength(note)).toBeLessThanOrEqual(
    defaultAnswerLimit,
  );
  const data = JSON.stringify(answer.structuredContent ?? {});
  expect(Buffer.byteLength(data)).toBeLessThanOrEqual(defaultAnswerLimit);
});

test("[core.mcp.answer-size] truncated answers say so, and name the parameter to continue with", async () => {
  expect(noteOf(await callTool("get", { file: "long/lines.md" }))).toMatch(
    /This is the result for maxLines \d+; continue with fromLine \d+\.$/,
  );
  const named = noteOf(await callTool("get", { file: "long/lines.md:100" }));
  const [, amount, line] =
    /maxLines (\d+); continue with fromLine (\d+), and no line/.exec(named) ?? [];
  expect(Number(line)).toBe(100 + Number(amount));
  expect(noteOf(await callTool("search", { query: "lighthouse", all: true, full: true }))).toMatch(
    /results: the first \d\d of 30\d items\. .*Narrow the request, or get the complete result from POST \/tools\/search\.$/,
  );
  expect(noteOf(await callTool("get", { file: "long/one-line.md:3" }))).toMatch(
    /document\.text: the first [\d,]+ of 1\d\d,\d+ characters\./,
  );
  expect(noteOf(await callTool("get", { file: "long/lines.md", maxLines: 100 }))).toBe("");
});

test("[core.mcp.answer-size] following the cursor returns every item once", async () => {
  const ids: string[] = [];
  let cursor: string | undefined;
  let total = 0;
  do {
    const args = { ...heap, query: "thing", limit: 1_000, ...(cursor && { cursor }) };
    const { structuredContent } = await callTool("qmdc_search_objects", args);
    // The part of the tool's output that is used here.
    const page = structuredContent as {
      items: { id: string }[];
      total: number;
      next_cursor?: string;
    };
    ids.push(...page.items.map(({ id }) => id));
    total = page.total;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(total).toBeGreaterThan(1_000);
  expect(ids).toHaveLength(total);
  expect(new Set(ids).size).toBe(total);
});

test.each([
  ["list_codes", {}],
  ["list_segments_for_source", { source_id: 1 }],
])(
  "[core.mcp.answer-size] following the cursor of %s returns every item once",
  async (name, args) => {
    await callTool("open_project", { path: "long.qda" });
    const ids: number[] = [];
    let cursor: string | undefined;
    let expectedRemaining: number | undefined;
    do {
      const answer = await callTool(name, { ...args, ...(cursor !== undefined && { cursor }) });
      // The envelope of the founding document, and the fields of a truncated list.
      const page = answer.structuredContent as {
        data: { id: number }[];
        truncated?: boolean;
        remaining?: number;
        next_cursor?: string;
      };
      ids.push(...page.data.map(({ id }) => id));
      if (expectedRemaining !== undefined)
        expect(page.data.length + (page.remaining ?? 0)).toBe(expectedRemaining);
      expect(page.truncated ?? false).toBe(page.next_cursor !== undefined);
      expectedRemaining = page.remaining;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(ids.length).toBeGreaterThan(1_000);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test("[core.mcp.answer-size] a truncated batch result lists all failures, and says that the batch is complete", async () => {
  await callTool("open_project", { path: "long.qda" });
  const operations = Array.from({ length: 1_500 }, (_, n) => ({
    code_id: n === 1_400 ? 99_999 : 4,
    source_id: 1,
    start_position: n,
    end_position: n === 1_401 ? n : n + 1,
  }));

  const answer = await callTool("batch_apply_codes", { operations });

  const { data, truncated, remaining } = answer.structuredContent as {
    data: { total: number; failed: number; results: { index: number; success: boolean }[] };
    truncated: boolean;
    remaining: number;
  };
  expect(data).toMatchObject({ total: 1_500, failed: 2 });
  expect(data.results.filter(({ success }) => !success).map(({ index }) => index)).toEqual([
    1_400, 1_401,
  ]);
  expect(data.results[0]).toMatchObject({ index: 0, success: true });
  expect({ truncated, reported: data.results.length + remaining }).toEqual({
    truncated: true,
    reported: 1_500,
  });
  expect(noteOf(answer)).toMatch(
    /results: 2 failures and the first others, [\d,]+ of 1,500 items\. The operation is complete: do not repeat it\./,
  );
});
