import { expect, test } from "vitest";
import { openDeskLibrary } from "../../../tests/fixtures/desk-library.ts";
import { deskShelf, lastCount } from "../../../tests/fixtures/desk-shelf.ts";
import {
  beginSession,
  connect,
  type Era,
  openEndpoint,
  post,
  postModern,
  request,
} from "../../../tests/fixtures/mcp-client.ts";
import { type Failure, failureKinds } from "../../kernel/failure.ts";
import type { Dialect } from "../../kernel/shelf.ts";

const eras: Era[] = ["legacy", "auto", "modern"];

const call = (name: string, args?: unknown) =>
  request("tools/call", { name, ...(args !== undefined && { arguments: args }) });

const desk = (...options: Parameters<typeof openDeskLibrary>) =>
  openEndpoint(openDeskLibrary(...options).library);

test("[house.mcp.tools-list] tools are the operations that are shown to agents, in one order", async () => {
  const endpoint = desk();
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

test("[house.mcp.decides] a person's decision is no tool, and is not found as one", async () => {
  const { message } = await post(desk(), call("approve", {}));

  expect(message.error).toMatchObject({ code: -32602, data: { error_code: "TOOL_NOT_FOUND" } });
});

test("[house.mcp.read-only] with --read-only only tools that read are listed and found", async () => {
  const endpoint = desk({ readOnly: true });
  const client = await connect(endpoint, "modern");
  const { tools } = await client.listTools();

  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  expect(tools.map(({ name }) => name)).not.toContain("erase");
  expect((await post(endpoint, call("erase", {}))).message.error?.code).toBe(-32602);
});

test("[house.mcp.annotations] all four annotations follow from what an operation does", async () => {
  const { tools } = await (await connect(desk(), "legacy")).listTools();
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

test("[house.mcp.schemas] schemas are those of the operation, without words that say nothing", async () => {
  const { tools } = await (await connect(desk(), "legacy")).listTools();

  expect(tools[0]).toMatchObject({ title: "echo", description: "Does echo." });
  expect(tools[0]?.inputSchema).toEqual({
    type: "object",
    properties: { words: { type: "string" }, times: expect.objectContaining({ default: 1 }) },
    required: ["words"],
  });
  expect(tools[0]?.outputSchema).toMatchObject({ properties: { said: { type: "string" } } });
  expect(tools.find(({ name }) => name === "show")).not.toHaveProperty("outputSchema");
});

test("[house.mcp.structured] an answer is text for a reader and data beside it", async () => {
  const endpoint = desk();
  for (const era of eras) {
    const client = await connect(endpoint, era);
    const result = await client.callTool({ name: "echo", arguments: { words: "ab", times: 2 } });
    expect(result, era).toMatchObject({
      content: [{ type: "text", text: "abab" }],
      structuredContent: { said: "abab" },
    });
  }
});

test("[house.mcp.unknown-tool] an unknown tool is refused with the names that come nearest", async () => {
  const { message } = await post(desk(), call("ecko", {}));

  expect(message.error).toEqual({
    code: -32602,
    message: "Unknown tool: ecko. Did you mean 'echo'?",
    data: { error_code: "TOOL_NOT_FOUND", nearest: ["echo"] },
  });
});

test("a long name of an unknown tool does not come back whole", async () => {
  const { message } = await post(desk(), call("x".repeat(100_000), {}));

  expect(message.error?.message).toMatch(/^Unknown tool: x+…/);
  expect(message.error?.message.length).toBeLessThan(300);
});

test("[house.mcp.bad-arguments] bad arguments are the tool's failure and name the field", async () => {
  const { message } = await post(desk(), call("echo", { word: 1 }));

  expect(message.error).toBeUndefined();
  expect(message.result).toMatchObject({ isError: true });
  expect(JSON.stringify(message.result)).toContain("Missing parameter 'words'");
  expect(JSON.stringify(message.result)).toContain("Unknown parameter 'word'");
});

test("[house.mcp.malformed-call] a call that is none is refused with details, in both eras", async () => {
  const endpoint = desk();
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
    // Where the header has no name to show, the SDK refuses before us.
    expect([-32602, -32020]).toContain(modern.message.error?.code);
  }
});

test("[house.mcp.internal] what nobody foresaw is an internal error that says no more", async () => {
  const { library, logged } = openDeskLibrary();
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

/** How each dialect words a failure, as the text of its first block. */
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
  "[house.mcp.failure-table] every kind of failure is a result in the words of %s",
  async (dialect, wording) => {
    // The keys of the table are dialects; the library forgets that.
    const endpoint = desk({ shelves: [deskShelf(dialect as Dialect)] });
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

test("[house.mcp.outbound-limit] an answer over the limit is not sent; the failure says how to ask", async () => {
  const { library } = openDeskLibrary();
  const limits = { answerLimit: Number.POSITIVE_INFINITY, outboundLimit: 100_000 };
  const endpoint = openEndpoint(library, limits);
  const { message } = await post(endpoint, call("echo", { words: "x", times: 200_000 }));
  const { message: fits } = await post(endpoint, call("echo", { words: "x", times: 40_000 }));

  expect(message.result).toEqual({
    isError: true,
    content: [
      {
        type: "text",
        text: expect.stringMatching(/would be 0\.\d MB; at most 0\.1 MB are sent\.\nAsk for less/),
      },
    ],
  });
  expect(fits.result).not.toHaveProperty("isError");
});

test("[house.mcp.cancel] a cancelled call stops and is not answered", async () => {
  const endpoint = desk();
  const session = await beginSession(endpoint);
  lastCount.aborted = false;
  const calling = post(
    endpoint,
    request("tools/call", { name: "count", arguments: { to: 1_000, pauseMs: 5 } }, 7),
    session,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  const cancelled = { method: "notifications/cancelled", params: { requestId: 7 } };
  await post(endpoint, { jsonrpc: "2.0", ...cancelled }, session);

  await expect.poll(() => lastCount.aborted, { timeout: 5_000 }).toBe(true);
  expect(lastCount.counted).toBeLessThan(1_000);
  // Without an answer its stream would stay open; the end of the session closes it.
  await endpoint.close();
  expect((await calling).messages.filter((message) => message.id === 7)).toEqual([]);
});

test("[house.mcp.deadline] at the time limit a call gives what it has", async () => {
  const endpoint = desk({ env: { LECTERN_TOOL_TIMEOUT_MS: "200" } });
  const { message } = await post(endpoint, call("count", { to: 1_000, pauseMs: 5 }));

  expect(message.result).not.toHaveProperty("isError");
  expect(message.result).toMatchObject({ structuredContent: { partial: true } });
});
