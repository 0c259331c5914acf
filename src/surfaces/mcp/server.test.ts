import { expect, test } from "vitest";
import { sampleShelf } from "../../../tests/fixtures/library/sample-shelf.ts";
import { openSampleShelfLibrary } from "../../../tests/fixtures/library/sample-shelf-library.ts";
import {
  beginSession,
  connect,
  openEndpoint,
  post,
  postModern,
  request,
  streams,
} from "../../../tests/fixtures/mcp/mcp-client.ts";
import { failureKinds } from "../../kernel/failure.ts";
import { defineShelf } from "../../kernel/shelf.ts";
import { rpcCodes } from "./answers/protocol-errors.ts";

const openSampleEndpoint = () => openEndpoint(openSampleShelfLibrary().library);

const older = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

test.each(older)("[core.mcp.versions] %s is negotiated and served", async (protocolVersion) => {
  const endpoint = openSampleEndpoint();
  const clientInfo = { name: "old", version: "1" };
  const { message } = await post(
    endpoint,
    request("initialize", { protocolVersion, capabilities: {}, clientInfo }),
    streams,
  );
  const session = await beginSession(endpoint, protocolVersion);
  const shown = await post(endpoint, request("tools/call", { name: "show" }), session);

  expect(message.result).toMatchObject({ protocolVersion, serverInfo: { name: "lectern" } });
  expect(shown.message.result).toMatchObject({
    content: [
      { type: protocolVersion >= "2025-06-18" ? "resource_link" : "text" },
      { type: protocolVersion >= "2025-03-26" ? "audio" : "text" },
      { type: "resource" },
    ],
  });
});

test("[core.mcp.unknown-version] an unknown version is answered with the newest version of its era", async () => {
  const params = {
    protocolVersion: "1999-01-01",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  };
  const { message } = await post(openSampleEndpoint(), request("initialize", params));

  expect(message.result).toMatchObject({ protocolVersion: "2025-11-25" });
});

test("[core.mcp.discover] a client of the 2026 era can discover the server", async () => {
  const { message } = await postModern(openSampleEndpoint(), "server/discover");

  expect(message.result).toMatchObject({
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    instructions: expect.stringContaining("Call echo first."),
    ttlMs: expect.any(Number),
    cacheScope: "private",
  });
});

test("[core.mcp.capabilities] empty tool and resource lists are declared; other capabilities only if available", async () => {
  const { prompts: _, ...rest } = sampleShelf();
  const bare = defineShelf({ ...rest, resources: [] });
  const endpoint = openEndpoint(openSampleShelfLibrary({ shelves: [bare] }).library);
  const { message } = await post(endpoint, request("initialize", {}));
  const { message: resources } = await post(endpoint, request("resources/list"));
  const { message: prompts } = await post(endpoint, request("prompts/list"));

  expect(message.result?.capabilities).toEqual({
    logging: {},
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  });
  expect(resources.result).toEqual({ resources: [] });
  expect(prompts.error?.code).toBe(-32601);
});

test("[core.mcp.instructions] instructions stay under 2 KB for any set of shelves", async () => {
  const { operations, ...rest } = sampleShelf();
  const wordy = (name: string) => ({ ...rest, operations: [], name, guide: "ü".repeat(600) });
  const people = { ...rest, operations: [], resources: [], name: "people", guide: "For people." };
  const { prompts: _, ...forPeople } = people;
  const shelves = [sampleShelf(), forPeople, ...["a", "b", "c", "d"].map(wordy)];
  const { message } = await post(
    openEndpoint(openSampleShelfLibrary({ shelves }).library),
    request("initialize", {}),
  );

  const instructions = `${message.result?.instructions}`;
  expect(Buffer.byteLength(instructions)).toBeLessThan(2_048);
  expect(instructions).toContain("Call echo first.");
  expect(instructions).toContain("üü");
  expect(instructions).not.toContain("For people.");
});

test("[core.mcp.resources] resources are listed page by page and read by URI", async () => {
  const endpoint = openSampleEndpoint();
  for (const era of ["legacy", "modern"] as const) {
    const client = await connect(endpoint, era);
    const first = await client.listResources({ cursor: undefined });
    expect(first.resources.length, era).toBe(2_500);
  }
  const { message } = await post(endpoint, request("resources/list"));
  const { resources, nextCursor } = message.result ?? {};
  expect(resources).toHaveLength(1_000);
  const next = await post(endpoint, request("resources/list", { cursor: nextCursor }));
  expect(next.message.result).toMatchObject({
    resources: expect.arrayContaining([
      {
        uri: "note://notes/1000.md",
        name: "notes/1000.md",
        annotations: { lastModified: "2026-01-02T03:04:05Z" },
      },
    ]),
  });
});

test("a cursor of one list is invalid in another", async () => {
  const endpoint = openSampleEndpoint();
  const { message } = await post(endpoint, request("resources/list"));
  const { nextCursor: cursor } = message.result ?? {};

  expect((await post(endpoint, request("tools/list", { cursor }))).message.error?.code).toBe(
    -32602,
  );
  expect((await post(endpoint, request("tools/list", { cursor: 5 }))).message.error?.code).toBe(
    -32602,
  );
});

test("[core.mcp.templates] resource families with a URI template are listed as templates", async () => {
  const { message } = await post(openSampleEndpoint(), request("resources/templates/list"));

  expect(message.result).toMatchObject({
    resourceTemplates: [{ uriTemplate: "note://{+path}", name: "note", mimeType: "text/markdown" }],
  });
});

test("[core.mcp.names-on-the-wire] embedded and read resources carry their names in every era", async () => {
  const endpoint = openSampleEndpoint();
  const names = { name: "a/b.md", title: "B" };
  const read = { uri: "note://a/b.md" };
  const session = await beginSession(endpoint);
  const answers = [
    await post(endpoint, request("tools/call", { name: "show" })),
    await post(endpoint, request("tools/call", { name: "show" }), session),
    await postModern(endpoint, "tools/call", { name: "show" }),
  ];
  for (const { message } of answers) {
    expect(message.result).toMatchObject({
      content: [{}, {}, { resource: { text: "# B", ...names } }],
    });
  }
  const reads = [
    await post(endpoint, request("resources/read", read)),
    await postModern(endpoint, "resources/read", read),
  ];
  for (const { message } of reads) {
    expect(message.result).toMatchObject({ contents: [{ text: "# B", ...names }] });
  }
});

test("[core.mcp.not-found] invalid, forbidden and missing resources return the same error", async () => {
  const endpoint = openSampleEndpoint();
  const uris = ["nobody://here", "", "note://invalid", "note://forbidden", "note://not-found"];
  for (const uri of uris) {
    const older = await post(endpoint, request("resources/read", { uri }));
    const newer = await postModern(endpoint, "resources/read", { uri });
    for (const { message } of uri === "" ? [older] : [older, newer]) {
      expect(message.error, uri).toEqual({
        code: -32602,
        message: "Resource not found",
        data: {
          uri,
          success: false,
          error: { code: "not-found", message: "Resource not found" },
        },
      });
    }
  }
});

test("[core.mcp.resource-errors] with --resource-errors=data every resource error is returned as its contents", async () => {
  const { library } = openSampleShelfLibrary({ resourceErrors: "data" });
  const endpoint = openEndpoint(library, { outboundLimit: 100_000 });
  const unseen = ["nobody://here", "note://invalid", "note://forbidden", "note://not-found"];
  for (const era of ["legacy", "modern"] as const) {
    const client = await connect(endpoint, era);
    const read = async (uri: string): Promise<unknown> => {
      const [content] = (await client.readResource({ uri })).contents;
      expect(content, uri).toMatchObject({ uri, mimeType: "application/json" });
      return content && "text" in content ? JSON.parse(content.text) : undefined;
    };
    for (const uri of unseen) {
      const error = { code: "not-found", message: "Resource not found" };
      expect(await read(uri), uri).toEqual({ success: false, error });
    }
    expect(await read("note://huge.md")).toMatchObject({ error: { code: "too-large" } });
    expect(await read("note://unforeseen")).toEqual({
      success: false,
      error: { code: "internal-error", message: "Internal error" },
    });
  }
});

test("[core.mcp.rpc-codes] other resource errors have the code of their kind", async () => {
  const endpoint = openSampleEndpoint();
  for (const kind of failureKinds) {
    const { message } = await post(endpoint, request("resources/read", { uri: `note://${kind}` }));
    expect(message.error?.code, kind).toBe(rpcCodes[kind]);
  }
  const { message } = await post(endpoint, request("resources/read", { uri: "note://unforeseen" }));
  expect(message.error).toEqual({ code: -32603, message: "Internal error" });
});

test("a resource over the outbound limit is refused with a remedy", async () => {
  const { library } = openSampleShelfLibrary();
  const endpoint = openEndpoint(library, { outboundLimit: 100_000 });
  const { message } = await post(endpoint, request("resources/read", { uri: "note://huge.md" }));

  expect(message.error).toMatchObject({
    code: -32602,
    data: { details: "Read it in parts, with a tool that accepts a range of lines." },
  });
});

test("[core.mcp.prompts] prompts are listed and rendered, and invalid requests name the problem", async () => {
  const endpoint = openSampleEndpoint();
  for (const era of ["legacy", "modern"] as const) {
    const client = await connect(endpoint, era);
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      { name: "review", arguments: [{ name: "file", required: true }, {}] },
    ]);
    const { messages } = await client.getPrompt({ name: "review", arguments: { file: "a.md" } });
    expect(messages).toMatchObject([
      { role: "user", content: { type: "text", text: "Review a.md, kindly." } },
      { role: "user", content: { type: "resource_link", uri: "note://a.md" } },
    ]);
  }
  const refused = async (params: object) =>
    (await post(endpoint, request("prompts/get", params))).message.error;
  expect(await refused({ name: "review" })).toMatchObject({
    code: -32602,
    message: expect.stringContaining("'file'"),
  });
  expect(await refused({ name: "nobody" })).toMatchObject({
    code: -32602,
    message: expect.stringContaining("nobody"),
  });
  expect(await refused({ name: "review", arguments: { file: 5 } })).toMatchObject({
    code: -32602,
    data: { details: "'arguments.file': must be a string" },
  });
});

test("[core.mcp.completion] at most 100 values are returned, with the total", async () => {
  const endpoint = openSampleEndpoint();
  const complete = async (ref: object, argument: object, context?: object) => {
    const params = { ref, argument, ...(context && { context }) };
    return (await post(endpoint, request("completion/complete", params))).message;
  };
  const template = { type: "ref/resource", uri: "note://{+path}" };
  const many = await complete(template, { name: "path", value: "notes/" });
  expect(many.result).toMatchObject({ completion: { total: 2_500, hasMore: true } });
  expect(many.result?.completion).toHaveProperty("values.length", 100);
  expect(many.result).not.toHaveProperty("_meta");

  const prompt = { type: "ref/prompt", name: "review" };
  const context = { arguments: { file: "a.md" } };
  expect((await complete(prompt, { name: "tone", value: "" }, context)).result).toEqual({
    completion: { values: ["tone-a.md"], total: 1, hasMore: false },
    _meta: {
      "lectern/completionItems": [
        { value: "tone-a.md", label: "A label", description: "What it is" },
      ],
    },
  });
  const unknown = { type: "ref/prompt", name: "nobody" };
  expect((await complete(unknown, { name: "x", value: "" })).error?.code).toBe(-32602);
  expect((await complete({ type: "ref/odd" }, { name: "x", value: "" })).error?.code).toBe(-32602);
});

test("[core.mcp.cache-hints] lists that can change within two seconds have a shorter ttlMs", async () => {
  const endpoint = openSampleEndpoint();
  for (const method of [
    "tools/list",
    "resources/list",
    "prompts/list",
    "resources/templates/list",
  ]) {
    const { message } = await postModern(endpoint, method);
    expect(message.result, method).toMatchObject({
      cacheScope: "private",
      ttlMs: expect.any(Number),
    });
    if (method === "resources/list" || method === "prompts/list") {
      expect(message.result?.ttlMs).toBeLessThan(2_000);
    }
  }
});
