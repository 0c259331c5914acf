import { expect, test } from "vitest";
import { openDeskLibrary } from "../../../tests/fixtures/desk-library.ts";
import {
  connect,
  openEndpoint,
  post,
  postModern,
  request,
} from "../../../tests/fixtures/mcp-client.ts";
import { searchLibrary } from "../../../tests/fixtures/search-library.ts";

const desk = () => openEndpoint(openDeskLibrary().library);
const rename = { name: "rename", arguments: { file: "a.md" } };
const capabilities = { elicitation: {} };
const said = (value: string) => ({ action: "accept", content: { value } });

test("[house.mcp.questions] a call asks round by round, and its client carries what was answered", async () => {
  const endpoint = desk();
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
    inputResponses: { name: said("Ada") },
    requestState: first.requestState,
  });
  expect(Object.keys(second.inputRequests ?? {})).toEqual(["color"]);
  const last = await ask({
    inputResponses: { color: said("blue") },
    requestState: second.requestState,
  });
  expect(last).toMatchObject({
    resultType: "complete",
    structuredContent: { name: "Ada", color: "blue", file: "a.md" },
  });
});

test("[house.mcp.questions-older] clients of both eras answer the same questions by their own means", async () => {
  const endpoint = desk();
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

test("[house.mcp.can-ask] an operation knows whether its client can be asked", async () => {
  const endpoint = desk();
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

test("[house.mcp.sealed] what is carried can neither be changed nor serve another call", async () => {
  const endpoint = desk();
  const first = await postModern(endpoint, "tools/call", rename, { capabilities });
  const requestState = `${first.message.result?.requestState}`;
  const inputResponses = { name: said("Ada") };
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

const makeOther = () => desk();

test("[house.mcp.odd-answers] an answer of no known shape is asked for again", async () => {
  const endpoint = desk();
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

test("[search.expansion.sampling] a client of either era lends its model to a search", async () => {
  const { library } = await searchLibrary({
    "notes/lamp.md": "# Lamp\n\nIt is lit with a match.\n",
    "notes/boat.md": "# Boat\n\nIt leaves the harbour.\n",
  });
  library.house.config.update((draft) => {
    draft.models = { expansion: { kind: "client" } };
  });
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

test("[search.expansion.declined] a client that declines is asked no more than twice, and then searches go on", async () => {
  const { library } = await searchLibrary({ "notes/lamp.md": "# Lamp\n\nIt is lit.\n" });
  library.house.config.update((draft) => {
    draft.models = { expansion: { kind: "client" } };
  });
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
      "The query was not expanded: the client left earlier questions unanswered.",
    ]),
  });
  expect(asked).toBe(2);
});
