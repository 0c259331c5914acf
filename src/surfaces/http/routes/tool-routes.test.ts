import { expect, test } from "vitest";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { createHttpApp } from "../http-app.ts";

const library = smallLibrary([finding, failingShelf]);
const app = createHttpApp({ app: library, mcp: async () => new Response() });

async function call(name: string, body?: string) {
  const response = await app.request(`/tools/${name}`, {
    method: "POST",
    ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, body: await response.json() };
}

test("[core.http.tools] GET /tools lists the tools available to an agent, with schemas", async () => {
  const { tools } = (await (await app.request("/tools")).json()) as {
    tools: Record<string, unknown>[];
  };

  expect(tools.map(({ name }) => name)).toEqual(["find", "fetch", "fail", "count_words"]);
  expect(tools[0]).toMatchObject({
    title: "Find",
    description: "Find documents by a word.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, minScore: { default: 0 } },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { totalFound: { type: "integer" } } },
  });
  expect(JSON.stringify(tools)).not.toContain("verbatim");
});

test("[core.http.tools] a tool answers {success, data}, with keys as declared", async () => {
  expect(await call("count_words", '{"arguments":{"source_id":1,"wordList":["a","b"]}}')).toEqual({
    status: 200,
    body: { success: true, data: { source_id: 1, wordCount: 2 } },
  });
  const found = await call("find", '{"arguments":{"query":"x"}}');
  expect(found.body).toMatchObject({ success: true, data: { totalFound: 1 } });
  expect(Object(found.body).data).not.toHaveProperty("content");
});

test("[core.http.tools] no body, an empty one and null arguments mean no arguments", async () => {
  for (const body of [undefined, "", "{}", '{"arguments":{}}', '{"arguments":null}']) {
    const { status, body: said } = await call("fail", body);
    expect([body, status, Object(said).error_code]).toEqual([body, 400, "INVALID_ARGUMENT"]);
    expect(Object(said).error).toContain("'kind'");
  }
});

test("[core.http.tools] errors of a call use the same dialect", async () => {
  const check = async (name: string, body: string, status: number, error: string) => {
    const answer = await call(name, body);
    expect([body, answer.status]).toEqual([body, status]);
    expect(answer.body).toMatchObject({ success: false, error: expect.stringContaining(error) });
  };

  await check("find", "{bad", 400, "The body is not valid JSON");
  await check("find", '{"query":"x"}', 400, "Unknown parameter 'query': known are arguments");
  await check("find", '{"arguments":[]}', 400, "'arguments' must be a JSON object");
  await check("find", '{"arguments":"x"}', 400, "'arguments' must be a JSON object");
  await check("find", '{"arguments":{"qeury":"x"}}', 400, "did you mean 'query'?");
  await check("find", `{"arguments":{"query":${"[".repeat(100_000)}`, 400, "nests deeper");
});

test("[core.http.tools] an unknown tool is TOOL_NOT_FOUND, with the closest names", async () => {
  expect(await call("count_word")).toEqual({
    status: 404,
    body: {
      success: false,
      error: "Unknown tool: count_word\nDid you mean count_words?",
      error_code: "TOOL_NOT_FOUND",
    },
  });
  expect(Object((await call("zzzzzzzzzz")).body).error).toContain("GET /tools lists them.");
});

test("[core.http.decides] a decision and an operation without a tool cannot be called as a tool", async () => {
  for (const name of ["say_yes", "folder_rename", "__proto__", "constructor"]) {
    expect([name, (await call(name, '{"arguments":{"id":1}}')).status]).toEqual([name, 404]);
  }
});
