import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCatalogue } from "../../src/kernel/catalogue.ts";
import type { Library } from "../../src/kernel/library.ts";
import { shelves } from "../../src/shelves.ts";
import { usualAnswerLimit } from "../../src/surfaces/mcp/fitting.ts";
import { isTool } from "../../src/surfaces/mcp/tools.ts";
import { openLongLibrary } from "../fixtures/long-library.ts";
import { waysInto } from "./ways-in.ts";

const heap = { path: "heap" };

/** For every tool that reads, the call on a library of long things that answers most. */
const longest: Record<string, object> = {
  search: { query: "lighthouse", all: true, full: true },
  vsearch: { query: "lighthouse", all: true },
  query: { query: "lighthouse", all: true, full: true },
  get: { file: "long/lines.md" },
  multi_get: { pattern: "long/pages/*.md" },
  status: {},
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

let library: Library;
beforeAll(async () => {
  library = await openLongLibrary();
}, 120_000);
afterAll(() => library.close());

interface Told {
  content: { type: string; text?: string; resource?: { text?: string } }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

async function told(name: string, given: object): Promise<Told> {
  const { result } = await waysInto(library).rpc("tools/call", { name, arguments: given });
  // What the protocol says of a result.
  return result as unknown as Told;
}

const read = ({ content }: Told): string =>
  content.map(({ text, resource }) => text ?? resource?.text ?? "").join("");

/** The sentence about the limit, where there is one. */
const noteOf = ({ content }: Told): string =>
  /An answer has at most 20,000 tokens\..*$/.exec(content.at(-1)?.text ?? "")?.[0] ?? "";

test("every tool that reads is tried", () => {
  const reading = makeCatalogue(shelves).entries.filter(
    (entry) => isTool(entry) && entry.operation.effect === "reads",
  );
  expect(Object.keys(longest).sort()).toEqual(
    reading.map(({ operation }) => operation.name).sort(),
  );
});

// What closes the project comes last.
const inOrder = Object.entries(longest).sort(
  ([a], [b]) => Number(a === "close_project") - Number(b === "close_project"),
);

test.each(inOrder)(
  "[house.mcp.answer-size] %s answers within 20,000 tokens",
  async (name, given) => {
    const answer = await told(name, given);
    if (name !== "vsearch") expect(answer.isError, read(answer).slice(0, 300)).toBeFalsy();
    const note = noteOf(answer);
    expect(Buffer.byteLength(read(answer)) - Buffer.byteLength(note)).toBeLessThanOrEqual(
      usualAnswerLimit,
    );
    const data = JSON.stringify(answer.structuredContent ?? {});
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(usualAnswerLimit);
  },
);

test("[house.mcp.answer-size] what was cut is told, with the parameter that goes on", async () => {
  expect(noteOf(await told("get", { file: "long/lines.md" }))).toMatch(
    /This is for maxLines \d+; go on with fromLine \d+\.$/,
  );
  const named = noteOf(await told("get", { file: "long/lines.md:100" }));
  const [, amount, line] =
    /maxLines (\d+); go on with fromLine (\d+), and no line/.exec(named) ?? [];
  expect(Number(line)).toBe(100 + Number(amount));
  expect(noteOf(await told("search", { query: "lighthouse", all: true, full: true }))).toMatch(
    /results: the first \d\d of 30\d items\. .*Ask more narrowly, or take it whole from POST \/tools\/search\.$/,
  );
  expect(noteOf(await told("get", { file: "long/one-line.md:3" }))).toMatch(
    /document\.text: the first [\d,]+ of 1\d\d,\d+ characters\./,
  );
  expect(noteOf(await told("get", { file: "long/lines.md", maxLines: 100 }))).toBe("");
});

test("[house.mcp.answer-size] part by part, everything is told once", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  let total = 0;
  do {
    const given = { ...heap, query: "thing", limit: 1_000, ...(cursor && { cursor }) };
    const { structuredContent } = await told("qmdc_search_objects", given);
    // The tool's own schema, as far as it is needed here.
    const page = structuredContent as {
      items: { id: string }[];
      total: number;
      next_cursor?: string;
    };
    seen.push(...page.items.map(({ id }) => id));
    total = page.total;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(total).toBeGreaterThan(1_000);
  expect(seen).toHaveLength(total);
  expect(new Set(seen).size).toBe(total);
});

test.each([
  ["list_codes", {}],
  ["list_segments_for_source", { source_id: 1 }],
])("[house.mcp.answer-size] part by part, %s tells everything once", async (name, given) => {
  await told("open_project", { path: "long.qda" });
  const seen: number[] = [];
  let cursor: string | undefined;
  let left: number | undefined;
  do {
    const answer = await told(name, { ...given, ...(cursor !== undefined && { cursor }) });
    // The envelope of its founding document, and what a list says of itself that was cut.
    const page = answer.structuredContent as {
      data: { id: number }[];
      truncated?: boolean;
      remaining?: number;
      next_cursor?: string;
    };
    seen.push(...page.data.map(({ id }) => id));
    if (left !== undefined) expect(page.data.length + (page.remaining ?? 0)).toBe(left);
    expect(page.truncated ?? false).toBe(page.next_cursor !== undefined);
    left = page.remaining;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(seen.length).toBeGreaterThan(1_000);
  expect(new Set(seen).size).toBe(seen.length);
});

test("[house.mcp.answer-size] of many deeds those that failed are told, and none is to be done again", async () => {
  await told("open_project", { path: "long.qda" });
  const operations = Array.from({ length: 1_500 }, (_, n) => ({
    code_id: n === 1_400 ? 99_999 : 4,
    source_id: 1,
    start_position: n,
    end_position: n === 1_401 ? n : n + 1,
  }));

  const answer = await told("batch_apply_codes", { operations });

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
  expect({ truncated, told: data.results.length + remaining }).toEqual({
    truncated: true,
    told: 1_500,
  });
  expect(noteOf(answer)).toMatch(
    /results: 2 that failed and the first others, [\d,]+ of 1,500 items\. All of it was done: do not call again\./,
  );
});
