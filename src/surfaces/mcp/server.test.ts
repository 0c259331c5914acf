import { expect, test } from "vitest";
import { openDeskLibrary } from "../../../tests/fixtures/desk-library.ts";
import { deskShelf } from "../../../tests/fixtures/desk-shelf.ts";
import {
  beginSession,
  connect,
  openEndpoint,
  post,
  postModern,
  request,
  streams,
} from "../../../tests/fixtures/mcp-client.ts";
import { failureKinds } from "../../kernel/failure.ts";
import { defineShelf } from "../../kernel/shelf.ts";
import { rpcCodes } from "./failures.ts";

const desk = () => openEndpoint(openDeskLibrary().library);

const older = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

test.each(older)("[house.mcp.versions] %s is negotiated and served", async (protocolVersion) => {
  const endpoint = desk();
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

test("[house.mcp.unknown-version] a version that nobody knows is answered with the newest of its era", async () => {
  const params = {
    protocolVersion: "1999-01-01",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  };
  const { message } = await post(desk(), request("initialize", params));

  expect(message.result).toMatchObject({ protocolVersion: "2025-11-25" });
});

test("[house.mcp.discover] the 2026 era finds out by asking", async () => {
  const { message } = await postModern(desk(), "server/discover");

  expect(message.result).toMatchObject({
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    instructions: expect.stringContaining("Call echo first."),
    ttlMs: expect.any(Number),
    cacheScope: "private",
  });
});

test("[house.mcp.capabilities] lists of tools and resources may be empty; what else is promised is there", async () => {
  const { prompts: _, ...rest } = deskShelf();
  const bare = defineShelf({ ...rest, resources: [] });
  const endpoint = openEndpoint(openDeskLibrary({ shelves: [bare] }).library);
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

test("[house.mcp.instructions] instructions stay under 2 KB, whatever shelves have to say", async () => {
  const { operations, ...rest } = deskShelf();
  const wordy = (name: string) => ({ ...rest, operations: [], name, guide: "ü".repeat(600) });
  const people = { ...rest, operations: [], resources: [], name: "people", guide: "For people." };
  const { prompts: _, ...forPeople } = people;
  const shelves = [deskShelf(), forPeople, ...["a", "b", "c", "d"].map(wordy)];
  const { message } = await post(
    openEndpoint(openDeskLibrary({ shelves }).library),
    request("initialize", {}),
  );

  const instructions = `${message.result?.instructions}`;
  expect(Buffer.byteLength(instructions)).toBeLessThan(2_048);
  expect(instructions).toContain("Call echo first.");
  expect(instructions).toContain("üü");
  expect(instructions).not.toContain("For people.");
});

test("[house.mcp.resources] resources are listed page by page and read by their URI", async () => {
  const endpoint = desk();
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

test("a cursor of one list is refused by another", async () => {
  const endpoint = desk();
  const { message } = await post(endpoint, request("resources/list"));
  const { nextCursor: cursor } = message.result ?? {};

  expect((await post(endpoint, request("tools/list", { cursor }))).message.error?.code).toBe(
    -32602,
  );
  expect((await post(endpoint, request("tools/list", { cursor: 5 }))).message.error?.code).toBe(
    -32602,
  );
});

test("[house.mcp.templates] families with a template are listed as templates", async () => {
  const { message } = await post(desk(), request("resources/templates/list"));

  expect(message.result).toMatchObject({
    resourceTemplates: [{ uriTemplate: "note://{+path}", name: "note", mimeType: "text/markdown" }],
  });
});

test("[house.mcp.names-on-the-wire] embedded and read resources show their names in every era", async () => {
  const endpoint = desk();
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

test("[house.mcp.not-found] bad, forbidden and missing resources cannot be told apart", async () => {
  const endpoint = desk();
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

test("[house.mcp.resource-errors] with --resource-errors=data every failure of a resource is its contents", async () => {
  const { library } = openDeskLibrary({ resourceErrors: "data" });
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

test("[house.mcp.rpc-codes] other failures of a resource have the code of their kind", async () => {
  const endpoint = desk();
  for (const kind of failureKinds) {
    const { message } = await post(endpoint, request("resources/read", { uri: `note://${kind}` }));
    expect(message.error?.code, kind).toBe(rpcCodes[kind]);
  }
  const { message } = await post(endpoint, request("resources/read", { uri: "note://unforeseen" }));
  expect(message.error).toEqual({ code: -32603, message: "Internal error" });
});

test("a resource over the outbound limit is refused and says what to do", async () => {
  const { library } = openDeskLibrary();
  const endpoint = openEndpoint(library, { outboundLimit: 100_000 });
  const { message } = await post(endpoint, request("resources/read", { uri: "note://huge.md" }));

  expect(message.error).toMatchObject({
    code: -32602,
    data: { details: "Read it in parts, with a tool that takes a range of lines." },
  });
});

test("[house.mcp.prompts] prompts are listed, rendered, and refused by the name of what is wrong", async () => {
  const endpoint = desk();
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

test("[house.mcp.completion] at most a hundred values come, with how many there are", async () => {
  const endpoint = desk();
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

test("[house.mcp.cache-hints] what may change within two seconds is not kept longer", async () => {
  const endpoint = desk();
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
