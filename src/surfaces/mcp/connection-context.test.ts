import { expect, test } from "vitest";
import { openSampleShelfLibrary } from "../../../tests/fixtures/library/sample-shelf-library.ts";
import {
  beginSession,
  connect,
  type Message,
  openEndpoint,
  post,
  postModern,
  request,
} from "../../../tests/fixtures/mcp/mcp-client.ts";

const openSampleEndpoint = () => openEndpoint(openSampleShelfLibrary().library);

const of = (messages: readonly Message[], method: string) =>
  messages.filter((message) => message.method === method).map(({ params }) => params);

const counting = { name: "count", arguments: { to: 4 } };
const far = { name: "count", arguments: { to: 100 } };
const token = { progressToken: "analysis-123" };

test("[core.mcp.progress] a client that sent a progress token receives progress", async () => {
  const endpoint = openSampleEndpoint();
  const session = await beginSession(endpoint);
  const older = await post(endpoint, request("tools/call", { ...far, _meta: token }), session);
  const newer = await postModern(endpoint, "tools/call", far, { meta: token });

  for (const { messages, message } of [older, newer]) {
    const reported = of(messages, "notifications/progress");
    expect(reported[0]).toEqual({
      ...token,
      progress: 1,
      total: 100,
      message: "at 1",
      _meta: { "lectern/progress": { kind: "report", message: "at 1", percentage: 1 } },
    });
    expect(reported.length).toBeLessThan(50);
    expect(reported.at(-1)).toMatchObject({ progress: 100 });
    expect(message.result).toMatchObject({ structuredContent: { counted: 100 } });
  }
});

test("[core.mcp.progress-token] a client without a progress token receives no progress", async () => {
  const endpoint = openSampleEndpoint();
  const session = await beginSession(endpoint);
  const { messages } = await post(endpoint, request("tools/call", counting), session);

  expect(of(messages, "notifications/progress")).toEqual([]);
});

test("[core.mcp.log-level] a client of an older era receives log messages from the level it set", async () => {
  const endpoint = openSampleEndpoint();
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

test("an unknown level is refused by name", async () => {
  const { message } = await post(
    openSampleEndpoint(),
    request("logging/setLevel", { level: "loud" }),
  );

  expect(message.error).toMatchObject({
    code: -32602,
    data: { details: expect.stringMatching(/^'level'/) },
  });
});

test("[core.mcp.request-log-level] a client of the 2026 era receives log messages only for requests that ask for them", async () => {
  const endpoint = openSampleEndpoint();
  const silent = await postModern(endpoint, "tools/call", counting);
  const warned = await postModern(endpoint, "tools/call", counting, {
    meta: { "io.modelcontextprotocol/logLevel": "info" },
  });

  expect(of(silent.messages, "notifications/message")).toEqual([]);
  expect(of(warned.messages, "notifications/message")).toMatchObject([{ level: "warning" }]);
});

test("[core.mcp.warnings] a call's warnings are appended to its answer, for agents that see no log", async () => {
  const { message } = await postModern(openSampleEndpoint(), "tools/call", counting);

  const { content } = message.result as { content: { text: string }[] };
  expect(content.at(-1)?.text).toBe("counting to 4");
  expect(content).toHaveLength(2);
});

test("the client's own name reaches the call, in both eras", async () => {
  const { library } = openSampleShelfLibrary();
  const actors: unknown[] = [];
  const received = {
    ...library,
    call: (...words: Parameters<typeof library.call>) => {
      actors.push(words[2].actor);
      return library.call(...words);
    },
  };
  const endpoint = openEndpoint(received);
  for (const era of ["legacy", "modern"] as const) {
    await (await connect(endpoint, era)).callTool({ name: "echo", arguments: { words: "x" } });
  }
  await post(endpoint, request("tools/call", { name: "echo", arguments: { words: "x" } }));

  const client = { surface: "mcp", client: "test-client" };
  expect(actors).toEqual([client, client, { surface: "mcp" }]);
});
