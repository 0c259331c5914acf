import { expect, test } from "vitest";
import { openDeskLibrary } from "../../../tests/fixtures/desk-library.ts";
import {
  beginSession,
  connect,
  type Message,
  openEndpoint,
  post,
  postModern,
  request,
} from "../../../tests/fixtures/mcp-client.ts";

const desk = () => openEndpoint(openDeskLibrary().library);

const of = (messages: readonly Message[], method: string) =>
  messages.filter((message) => message.method === method).map(({ params }) => params);

const counting = { name: "count", arguments: { to: 4 } };
const far = { name: "count", arguments: { to: 100 } };
const token = { progressToken: "analysis-123" };

test("[house.mcp.progress] a client that gave a token hears how far the work has come", async () => {
  const endpoint = desk();
  const session = await beginSession(endpoint);
  const older = await post(endpoint, request("tools/call", { ...far, _meta: token }), session);
  const newer = await postModern(endpoint, "tools/call", far, { meta: token });

  for (const { messages, message } of [older, newer]) {
    const told = of(messages, "notifications/progress");
    expect(told[0]).toEqual({
      ...token,
      progress: 1,
      total: 100,
      message: "at 1",
      _meta: { "lectern/progress": { kind: "report", message: "at 1", percentage: 1 } },
    });
    expect(told.length).toBeLessThan(50);
    expect(told.at(-1)).toMatchObject({ progress: 100 });
    expect(message.result).toMatchObject({ structuredContent: { counted: 100 } });
  }
});

test("[house.mcp.progress-token] a client that gave none hears nothing of it", async () => {
  const endpoint = desk();
  const session = await beginSession(endpoint);
  const { messages } = await post(endpoint, request("tools/call", counting), session);

  expect(of(messages, "notifications/progress")).toEqual([]);
});

test("[house.mcp.log-level] an older client hears lines from the level that it set", async () => {
  const endpoint = desk();
  const session = await beginSession(endpoint);
  const lines = async () => {
    const { messages } = await post(endpoint, request("tools/call", counting), session);
    return of(messages, "notifications/message");
  };

  expect(await lines()).toEqual([
    { level: "debug", logger: "lectern", data: "counting begins" },
    { level: "warning", logger: "lectern", data: "counting to 4" },
  ]);
  await post(endpoint, request("logging/setLevel", { level: "warning" }), session);
  expect(await lines()).toHaveLength(1);
  await post(endpoint, request("logging/setLevel", { level: "error" }), session);
  expect(await lines()).toEqual([]);
});

test("an unknown level is refused by its name", async () => {
  const { message } = await post(desk(), request("logging/setLevel", { level: "loud" }));

  expect(message.error).toMatchObject({
    code: -32602,
    data: { details: expect.stringMatching(/^'level'/) },
  });
});

test("[house.mcp.request-log-level] a newer client hears lines only of a request that asks for them", async () => {
  const endpoint = desk();
  const silent = await postModern(endpoint, "tools/call", counting);
  const warned = await postModern(endpoint, "tools/call", counting, {
    meta: { "io.modelcontextprotocol/logLevel": "info" },
  });

  expect(of(silent.messages, "notifications/message")).toEqual([]);
  expect(of(warned.messages, "notifications/message")).toMatchObject([{ level: "warning" }]);
});

test("[house.mcp.warnings] what a call warns of stands behind its answer, for agents that see no log", async () => {
  const { message } = await postModern(desk(), "tools/call", counting);

  const { content } = message.result as { content: { text: string }[] };
  expect(content.at(-1)?.text).toBe("counting to 4");
  expect(content).toHaveLength(2);
});

test("the client's own name reaches the call, in both eras", async () => {
  const { library } = openDeskLibrary();
  const actors: unknown[] = [];
  const heard = {
    ...library,
    call: (...words: Parameters<typeof library.call>) => {
      actors.push(words[2].actor);
      return library.call(...words);
    },
  };
  const endpoint = openEndpoint(heard);
  for (const era of ["legacy", "modern"] as const) {
    await (await connect(endpoint, era)).callTool({ name: "echo", arguments: { words: "x" } });
  }
  await post(endpoint, request("tools/call", { name: "echo", arguments: { words: "x" } }));

  const client = { surface: "mcp", client: "test-client" };
  expect(actors).toEqual([client, client, { surface: "mcp" }]);
});
