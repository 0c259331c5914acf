import { expect, test } from "vitest";
import { openSampleShelfLibrary } from "../../../../tests/fixtures/library/sample-shelf-library.ts";
import {
  connect,
  openEndpoint,
  post,
  postModern,
  request,
} from "../../../../tests/fixtures/mcp/mcp-client.ts";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const openSampleEndpoint = () => openEndpoint(openSampleShelfLibrary().library);
const rename = { name: "rename", arguments: { file: "a.md" } };
const capabilities = { elicitation: {} };
const accept = (value: string) => ({ action: "accept", content: { value } });

test("[core.mcp.questions] a call asks in rounds, and the client returns the earlier answers", async () => {
  const endpoint = openSampleEndpoint();
  const ask = async (more: object) => {
    const { message } = await postModern(
      endpoint,
      "tools/call",
      { ...rename, ...more },
      { capabilities },
    );
    return message.result ?? {};
  };

  const first = await ask({});
  expect(first).toMatchObject({
    resultType: "input_required",
    inputRequests: { name: { method: "elicitation/create", params: { message: "Which name?" } } },
  });
  const second = await ask({
    inputResponses: { name: accept("Ada") },
    requestState: first.requestState,
  });
  expect(Object.keys(second.inputRequests ?? {})).toEqual(["color"]);
  const last = await ask({
    inputResponses: { color: accept("blue") },
    requestState: second.requestState,
  });
  expect(last).toMatchObject({
    resultType: "complete",
    structuredContent: { name: "Ada", color: "blue", file: "a.md" },
  });
});

test("[core.mcp.questions-older] clients of both eras answer the same questions with their own mechanism", async () => {
  const endpoint = openSampleEndpoint();
  for (const era of ["legacy", "modern"] as const) {
    const client = await connect(endpoint, era, capabilities);
    client.setRequestHandler("elicitation/create", ({ params }) => ({
      action: "accept",
      content: { value: params.message === "Which name?" ? "Ada" : "blue" },
    }));
    const result = await client.callTool(rename);
    expect(result.structuredContent, era).toEqual({ name: "Ada", color: "blue", file: "a.md" });
  }
});

test("[core.mcp.can-ask] an operation knows whether its client can be asked", async () => {
  const endpoint = openSampleEndpoint();
  const unasked = { structuredContent: { name: "unasked" } };

  expect((await postModern(endpoint, "tools/call", rename)).message.result).toMatchObject(unasked);
  const byLink = await postModern(endpoint, "tools/call", rename, {
    capabilities: { elicitation: { url: {} } },
  });
  expect(byLink.message.result).toMatchObject(unasked);
  expect((await post(endpoint, request("tools/call", rename))).message.result).toMatchObject(
    unasked,
  );
  expect(await (await connect(endpoint, "legacy")).callTool(rename)).toMatchObject(unasked);
});

test("[core.mcp.sealed] the request state cannot be modified or used for another call", async () => {
  const endpoint = openSampleEndpoint();
  const first = await postModern(endpoint, "tools/call", rename, { capabilities });
  const requestState = `${first.message.result?.requestState}`;
  const inputResponses = { name: accept("Ada") };
  const again = async (more: object) => {
    const { message } = await postModern(
      endpoint,
      "tools/call",
      { ...rename, inputResponses, requestState, ...more },
      { capabilities },
    );
    return message;
  };
  const refused = { code: -32602, message: "Invalid or expired requestState" };

  expect((await again({})).result).toHaveProperty("inputRequests");
  expect((await again({ requestState: `${requestState}x` })).error).toMatchObject(refused);
  expect((await again({ requestState: "v1.e30.AA" })).error).toMatchObject(refused);
  expect((await again({ arguments: { file: "b.md" } })).error).toMatchObject(refused);
  const elsewhere = await postModern(
    makeOther(),
    "tools/call",
    { ...rename, requestState },
    { capabilities },
  );
  expect(elsewhere.message.error).toMatchObject(refused);
});

const makeOther = () => openSampleEndpoint();

test("[core.mcp.odd-answers] an answer of an unknown shape is asked for again", async () => {
  const endpoint = openSampleEndpoint();
  const odd = [
    null,
    5,
    {},
    { action: "maybe" },
    { roots: [null] },
    { role: "x", content: null },
    [],
  ];
  for (const answer of odd) {
    const { message } = await postModern(
      endpoint,
      "tools/call",
      { ...rename, inputResponses: { name: answer } },
      { capabilities },
    );
    expect(message.result, JSON.stringify(answer)).toHaveProperty("inputRequests.name");
  }
});

test("[search.expansion.sampling] sampling works with clients of both eras", async () => {
  const { library } = await searchLibrary({
    "notes/lamp.md": "# Lamp\n\nIt is lit with a match.\n",
    "notes/boat.md": "# Boat\n\nIt leaves the harbour.\n",
  });
  await library.runtime.store.run(
    library.runtime.config.update((draft) => {
      draft.models = { expansion: { kind: "client" } };
    }),
  );
  const endpoint = openEndpoint(library);
  for (const era of ["legacy", "modern"] as const) {
    const client = await connect(endpoint, era, { sampling: {} });
    const asked: unknown[] = [];
    client.setRequestHandler("sampling/createMessage", ({ params }) => {
      asked.push(params.messages[0]?.content);
      const text = '[{"type": "lex", "query": "harbour"}]';
      return { role: "assistant", model: "any", content: { type: "text", text } };
    });
    const result = await client.callTool({ name: "query", arguments: { query: `lamp ${era}` } });

    expect(asked, era).toEqual([{ type: "text", text: `lamp ${era}` }]);
    expect(JSON.stringify(result.structuredContent), era).toContain("notes/boat.md");
  }
});

test("[search.expansion.declined] a client that declines is asked at most twice, and searches continue", async () => {
  const { library } = await searchLibrary({ "notes/lamp.md": "# Lamp\n\nIt is lit.\n" });
  await library.runtime.store.run(
    library.runtime.config.update((draft) => {
      draft.models = { expansion: { kind: "client" } };
    }),
  );
  const client = await connect(openEndpoint(library), "legacy", { sampling: {} });
  let asked = 0;
  client.setRequestHandler("sampling/createMessage", () => {
    asked++;
    throw new Error("The person said no.");
  });
  const search = () => client.callTool({ name: "query", arguments: { query: "lamp" } });
  expect([(await search()).isError, (await search()).isError]).toEqual([true, true]);

  expect((await search()).structuredContent).toMatchObject({
    results: [{ file: "notes/lamp.md" }],
    notes: expect.arrayContaining([
      {
        kind: "model",
        message: "The query was not expanded: the client did not answer earlier sampling requests.",
      },
    ]),
  });
  expect(asked).toBe(2);
});
