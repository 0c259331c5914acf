import { expect, test } from "vitest";
import { lastCount, sampleShelf } from "../../../tests/fixtures/library/sample-shelf.ts";
import { openSampleShelfLibrary } from "../../../tests/fixtures/library/sample-shelf-library.ts";
import {
  beginSession,
  connect,
  type Era,
  openEndpoint,
  post,
  postModern,
  request,
} from "../../../tests/fixtures/mcp/mcp-client.ts";
import { type Failure, failureKinds } from "../../kernel/failure.ts";
import type { Dialect } from "../../kernel/shelf.ts";

const eras: Era[] = ["legacy", "auto", "modern"];

const call = (name: string, args?: unknown) =>
  request("tools/call", { name, ...(args !== undefined && { arguments: args }) });

const openSampleEndpoint = (...options: Parameters<typeof openSampleShelfLibrary>) =>
  openEndpoint(openSampleShelfLibrary(...options).library);

test("[core.mcp.tools-list] tools are the operations exposed to agents, in a fixed order", async () => {
  const endpoint = openSampleEndpoint();
  const names = ["echo", "fail", "count", "show", "rename", "erase", "announce"];
  for (const era of eras) {
    const client = await connect(endpoint, era);
    const { tools, nextCursor } = await client.listTools();
    expect(
      tools.map(({ name }) => name),
      era,
    ).toEqual(names);
    expect(nextCursor).toBeUndefined();
  }
});

test("[core.mcp.decides] operations that decide for a person are not tools and cannot be found as tools", async () => {
  const { message } = await post(openSampleEndpoint(), call("approve", {}));

  expect(message.error).toMatchObject({ code: -32602, data: { error_code: "TOOL_NOT_FOUND" } });
});

test("[core.mcp.read-only] with --read-only, only tools that read are listed and found", async () => {
  const endpoint = openSampleEndpoint({ readOnly: true });
  const client = await connect(endpoint, "modern");
  const { tools } = await client.listTools();

  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  expect(tools.map(({ name }) => name)).not.toContain("erase");
  expect((await post(endpoint, call("erase", {}))).message.error?.code).toBe(-32602);
});

test("[core.mcp.annotations] all four annotations are derived from the operation's effect", async () => {
  const { tools } = await (await connect(openSampleEndpoint(), "legacy")).listTools();
  const annotations = (name: string) => tools.find((tool) => tool.name === name)?.annotations;

  expect(annotations("echo")).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  expect(annotations("announce")).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  });
  expect(annotations("erase")).toMatchObject({ destructiveHint: true, openWorldHint: true });
});

test("[core.mcp.schemas] tool schemas are the operation's schemas, without redundant keywords", async () => {
  const { tools } = await (await connect(openSampleEndpoint(), "legacy")).listTools();

  expect(tools[0]).toMatchObject({ title: "echo", description: "Does echo." });
  expect(tools[0]?.inputSchema).toEqual({
    type: "object",
    properties: { words: { type: "string" }, times: expect.objectContaining({ default: 1 }) },
    required: ["words"],
  });
  expect(tools[0]?.outputSchema).toMatchObject({ properties: { said: { type: "string" } } });
  expect(tools.find(({ name }) => name === "show")).not.toHaveProperty("outputSchema");
});

test("[core.mcp.structured] an answer has text for the reader and structured data", async () => {
  const endpoint = openSampleEndpoint();
  for (const era of eras) {
    const client = await connect(endpoint, era);
    const result = await client.callTool({ name: "echo", arguments: { words: "ab", times: 2 } });
    expect(result, era).toMatchObject({
      content: [{ type: "text", text: "abab" }],
      structuredContent: { said: "abab" },
    });
  }
});

test("[core.mcp.unknown-tool] an unknown tool is refused, and the closest names are suggested", async () => {
  const { message } = await post(openSampleEndpoint(), call("ecko", {}));

  expect(message.error).toEqual({
    code: -32602,
    message: "Unknown tool: ecko. Did you mean 'echo'?",
    data: { error_code: "TOOL_NOT_FOUND", nearest: ["echo"] },
  });
});

test("a long unknown tool name is not repeated in full", async () => {
  const { message } = await post(openSampleEndpoint(), call("x".repeat(100_000), {}));

  expect(message.error?.message).toMatch(/^Unknown tool: x+…/);
  expect(message.error?.message.length).toBeLessThan(300);
});

test("[core.mcp.bad-arguments] invalid arguments are a tool error that names the field", async () => {
  const { message } = await post(openSampleEndpoint(), call("echo", { word: 1 }));

  expect(message.error).toBeUndefined();
  expect(message.result).toMatchObject({ isError: true });
  expect(JSON.stringify(message.result)).toContain("Missing parameter 'words'");
  expect(JSON.stringify(message.result)).toContain("Unknown parameter 'word'");
});

test("[core.mcp.malformed-call] a malformed call is refused with details, in both eras", async () => {
  const endpoint = openSampleEndpoint();
  const malformed = [
    {},
    { name: 5 },
    { name: "echo", arguments: "x" },
    { name: "echo", arguments: [] },
  ];
  for (const params of malformed) {
    const plain = await post(endpoint, request("tools/call", params));
    const modern = await postModern(endpoint, "tools/call", params);
    expect(plain.message.error, JSON.stringify(params)).toMatchObject({
      code: -32602,
      data: { details: expect.stringMatching(/^'(name|arguments)'/) },
    });
    // If the header contains no name, the SDK rejects the request first.
    expect([-32602, -32020]).toContain(modern.message.error?.code);
  }
});

test("[core.mcp.internal] an unexpected error is an internal error without details", async () => {
  const { library, logged } = openSampleShelfLibrary();
  const endpoint = openEndpoint(library);
  for (const kind of ["unforeseen", "unwritten"]) {
    const { message } = await post(endpoint, call("fail", { kind }));
    expect(message.result, kind).toEqual({
      content: [{ type: "text", text: "Internal error" }],
      isError: true,
    });
  }
  expect(logged.filter((line) => line.includes("/somewhere/else"))).toHaveLength(2);
  expect((await post(endpoint, call("echo", { words: "on" }))).message.result).toMatchObject({
    structuredContent: { said: "on" },
  });
});

/** The text of a failure in each dialect, in the first block. */
const wordings: Record<Dialect, (kind: Failure["kind"]) => unknown> = {
  qmd: (kind) => `It was ${kind}.\nTry again.`,
  architecture: (kind) => `It was ${kind}.\nTry again.`,
  documcp: (kind) => `Error: It was ${kind}.\nTry again.`,
  qmdc: (kind) => ({ success: false, error: { code: `code-${kind}`, message: `It was ${kind}.` } }),
  qualcoder: (kind) => ({
    success: false,
    error: `It was ${kind}.\nTry again.`,
    error_code: `CODE_${kind.toUpperCase().replace("-", "_")}`,
  }),
};

test.each(Object.entries(wordings))(
  "[core.mcp.failure-table] every kind of failure is a result in the wording of %s",
  async (dialect, wording) => {
    // The keys of the table are dialects; `Object.entries` loses that type.
    const endpoint = openSampleEndpoint({ shelves: [sampleShelf(dialect as Dialect)] });
    for (const kind of failureKinds) {
      const { message } = await post(endpoint, call("fail", { kind }));
      const expected = wording(kind);
      const asText = typeof expected === "string" ? expected : JSON.stringify(expected);
      expect(message.result, kind).toEqual({
        content: [{ type: "text", text: asText }],
        ...(typeof expected !== "string" && { structuredContent: expected }),
        isError: true,
      });
    }
  },
);

test("[core.mcp.outbound-limit] an answer over the limit is not sent, and the error explains how to narrow it", async () => {
  const { library } = openSampleShelfLibrary();
  const limits = { answerLimit: Number.POSITIVE_INFINITY, outboundLimit: 100_000 };
  const endpoint = openEndpoint(library, limits);
  const { message } = await post(endpoint, call("echo", { words: "x", times: 200_000 }));
  const { message: fits } = await post(endpoint, call("echo", { words: "x", times: 40_000 }));

  expect(message.result).toEqual({
    isError: true,
    content: [
      {
        type: "text",
        text: expect.stringMatching(/would be 0\.\d MB; the limit is 0\.1 MB\.\nRequest less/),
      },
    ],
  });
  expect(fits.result).not.toHaveProperty("isError");
});

test("[core.mcp.cancel] a cancelled call stops and is not answered", async () => {
  const endpoint = openSampleEndpoint();
  const session = await beginSession(endpoint);
  lastCount.counted = 0;
  lastCount.aborted = false;
  const calling = post(
    endpoint,
    request("tools/call", { name: "count", arguments: { to: 100_000, pauseMs: 5 } }, 7),
    session,
  );
  await expect.poll(() => lastCount.counted).toBeGreaterThan(0);
  const cancelled = { method: "notifications/cancelled", params: { requestId: 7 } };
  await post(endpoint, { jsonrpc: "2.0", ...cancelled }, session);

  await expect.poll(() => lastCount.aborted).toBe(true);
  expect(lastCount.counted).toBeLessThan(100_000);
  // Without an answer its stream would stay open; the end of the session closes it.
  await endpoint.close();
  expect((await calling).messages.filter((message) => message.id === 7)).toEqual([]);
});

test("[core.mcp.deadline] at the time limit a call returns its partial result", async () => {
  const endpoint = openSampleEndpoint({ env: { LECTERN_TOOL_TIMEOUT_MS: "200" } });
  const { message } = await post(endpoint, call("count", { to: 1_000, pauseMs: 5 }));

  expect(message.result).not.toHaveProperty("isError");
  expect(message.result).toMatchObject({ structuredContent: { partial: true } });
});
